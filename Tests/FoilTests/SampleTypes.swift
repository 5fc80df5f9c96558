import Foil
import FoundationEssentials
import TestSupport

/// An enumeration whose cases have changed over time.
enum Theme: String, UserDefaultsSerializable {
  case light, dark
}

/// An enumeration that is also Codable.
enum Quality: Int, Codable, UserDefaultsSerializable {
  case low, high
}

/// An option set.
struct Sides: OptionSet, UserDefaultsSerializable {
  let rawValue: Int
  static let left = Sides(rawValue: 1)
  static let right = Sides(rawValue: 2)
}

/// A type whose raw value is Codable.
struct Owner: RawRepresentable, Hashable, UserDefaultsSerializable {
  var rawValue: Profile
}

/// A Codable type whose properties have changed over time.
struct Profile: Codable, Hashable, UserDefaultsSerializable {
  var name = "nobody"
  var level = 1
  var quality = Quality.low
}

/// A Codable type that holds another one, and an array of reals.
struct Game: Codable, Hashable, UserDefaultsSerializable {
  var player = Profile()
  var scores: [Double] = []
}

/// A type with its own implementation.
struct Percentage: Hashable, UserDefaultsSerializable {
  let value: Int

  init(_ value: Int) { self.value = value }

  var storedValue: Int { value }

  init?(storedValue: Int) {
    guard (0...100).contains(storedValue) else { return nil }
    value = storedValue
  }
}

/// A type with an initializer that cannot fail.
struct Tag: Hashable, UserDefaultsSerializable {
  var text: String

  var storedValue: String { text.lowercased() }

  init(text: String) { self.text = text }

  init(storedValue: String) { text = storedValue }
}

/// A Codable type with its own implementation, which rejects values of other versions.
struct Versioned: Codable, Hashable, UserDefaultsSerializable {
  var size: Int

  init(size: Int) { self.size = size }

  var storedValue: [String: Any] { ["version": 1, "size": size] }

  init?(storedValue: [String: Any]) {
    guard storedValue["version"] as? Int == 1, let size = storedValue["size"] as? Int else {
      return nil
    }
    self.size = size
  }
}

/// A Codable type with its own implementation, which stores data that looks like JSON.
struct VersionedData: Codable, Hashable, UserDefaultsSerializable {
  var size: Int

  init(size: Int) { self.size = size }

  var storedValue: Data { Data(#"{"size":\#(size),"version":1}"#.utf8) }

  init?(storedValue: Data) {
    struct Form: Decodable { var size, version: Int }
    guard let form = try? JSONDecoder().decode(Form.self, from: storedValue), form.version == 1
    else { return nil }
    size = form.size
  }
}

/// A Codable type with a value that cannot be encoded.
struct Fragile: Codable, Hashable, UserDefaultsSerializable {
  var isBroken = false

  init(isBroken: Bool = false) { self.isBroken = isBroken }

  func encode(to encoder: any Encoder) throws {
    if isBroken { throw Refusal("it is broken") }
    var container = encoder.singleValueContainer()
    try container.encode("whole")
  }

  init(from decoder: any Decoder) throws {
    _ = try decoder.singleValueContainer().decode(String.self)
  }
}

/// A type whose stored form includes a value that may not be encodable.
struct FragileBox: Hashable, UserDefaultsSerializable {
  var content: Fragile

  init(content: Fragile) { self.content = content }

  var storedValue: [String: Data] { ["content": content.storedValue ?? Data()] }

  init?(storedValue: [String: Data]) {
    guard let content = storedValue["content"].flatMap(Fragile.init(storedValue:)) else {
      return nil
    }
    self.content = content
  }
}

/// A class whose instances threads must not share.
final class Counter: Codable, UserDefaultsSerializable {
  var count: Int

  init(count: Int) { self.count = count }
}
