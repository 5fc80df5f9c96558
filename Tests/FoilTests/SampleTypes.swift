import Foil
import FoundationEssentials

/// An enumeration whose cases were others once.
enum Theme: String, UserDefaultsSerializable {
  case light, dark
}

/// The same, Codable at that.
enum Quality: Int, Codable, UserDefaultsSerializable {
  case low, high
}

/// Several options at a time.
struct Sides: OptionSet, UserDefaultsSerializable {
  let rawValue: Int
  static let left = Sides(rawValue: 1)
  static let right = Sides(rawValue: 2)
}

/// A type whose raw value is Codable.
struct Owner: RawRepresentable, Hashable, UserDefaultsSerializable {
  var rawValue: Profile
}

/// A Codable type that has been changed since values of it were stored.
struct Profile: Codable, Hashable, UserDefaultsSerializable {
  var name = "nobody"
  var level = 1
  var quality = Quality.low
}

/// A Codable type that holds another one, and numbers of all kinds.
struct Game: Codable, Hashable, UserDefaultsSerializable {
  var player = Profile()
  var scores: [Double] = []
}

/// A type that says itself how it is stored.
struct Percentage: Hashable, UserDefaultsSerializable {
  let value: Int

  init(_ value: Int) { self.value = value }

  var storedValue: Int { value }

  init?(storedValue: Int) {
    guard (0...100).contains(storedValue) else { return nil }
    value = storedValue
  }
}

/// A type that makes something of whatever is stored.
struct Tag: Hashable, UserDefaultsSerializable {
  var text: String

  var storedValue: String { text.lowercased() }

  init(text: String) { self.text = text }

  init(storedValue: String) { text = storedValue }
}

/// A Codable type that does not want to be stored by Codable, and refuses what another version wrote.
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

/// The same, with data of its own that looks like JSON.
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

/// A Codable type some of whose values cannot be encoded.
struct Fragile: Codable, Hashable, UserDefaultsSerializable {
  struct Refusal: Error, CustomStringConvertible {
    var description: String { "it is broken" }
  }

  var isBroken = false

  init(isBroken: Bool = false) { self.isBroken = isBroken }

  func encode(to encoder: any Encoder) throws {
    if isBroken { throw Refusal() }
    var container = encoder.singleValueContainer()
    try container.encode("whole")
  }

  init(from decoder: any Decoder) throws {
    _ = try decoder.singleValueContainer().decode(String.self)
  }
}

/// A type that stores what holds such a value.
struct FragileBox: Hashable, UserDefaultsSerializable {
  var content: Fragile

  init(content: Fragile) { self.content = content }

  var storedValue: [String: Data] { ["content": content.storedValue] }

  init?(storedValue: [String: Data]) {
    guard let content = storedValue["content"].flatMap(Fragile.init(storedValue:)) else {
      return nil
    }
    self.content = content
  }
}

/// A class whose instances may not be shared among threads.
final class Counter: Codable, UserDefaultsSerializable {
  var count: Int

  init(count: Int) { self.count = count }
}
