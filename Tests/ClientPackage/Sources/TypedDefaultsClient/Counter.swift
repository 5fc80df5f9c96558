import Foundation
import TypedDefaults

/// A class that is stored as a number, under the other name of the protocol.
final class Counter: DefaultsConvertible {
  static let key = "Counter"

  let count: Int

  init(count: Int) {
    self.count = count
  }

  init?(_ object: Any) {
    guard let number = object as? Int else { return nil }
    count = number
  }

  func serialize() -> Any {
    NSNumber(value: count)
  }
}
