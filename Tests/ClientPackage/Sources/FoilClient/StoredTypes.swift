import Foil
import Foundation

struct Member: Codable, Equatable, UserDefaultsSerializable {
  let id: UUID
  let name: String
}

enum Palette: String, UserDefaultsSerializable {
  case light, dark
}

enum Density: String {
  case tight, wide
}

/// An initializer of the type's own that cannot fail.
extension Density: UserDefaultsSerializable {
  init(storedValue: String) { self = Density(rawValue: storedValue) ?? .tight }
}

/// A type that defines what is stored.
struct Corner: Equatable, UserDefaultsSerializable {
  var x: Int
  var y: Int

  var storedValue: [String: Int] { ["x": x, "y": y] }

  init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  init?(storedValue: [String: Int]) {
    guard let x = storedValue["x"], let y = storedValue["y"] else { return nil }
    self.init(x: x, y: y)
  }
}

// Types of other modules, which programs make storable themselves.

extension Int64: @retroactive UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: Int64 { self }
  /// Creates the value itself.
  public init(storedValue: Int64) { self = storedValue }
}

/// Stored as Codable types are.
extension UInt8: @retroactive UserDefaultsSerializable {}

struct Meter {
  @FoilDefaultStorage(key: "ticks") var ticks: Int64 = 0
  @FoilDefaultStorage(key: "channel") var channel: UInt8 = 1
}
