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

/// A type that says itself what is stored.
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
