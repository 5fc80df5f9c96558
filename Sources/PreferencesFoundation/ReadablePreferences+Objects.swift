internal import Foundation
public import Preferences
internal import PropertyList

extension ReadablePreferences {
  /// The value of a key as a type, as a cast of Foundation's object has it: a number is of every
  /// number type that can hold it exactly, and `CGFloat`.
  ///
  /// `object(forKey:)` returns an `Int`, which `as?` casts to no other number type.
  ///
  /// - Returns: Nil for a value of another type, also for a Boolean as a number.
  public func object<Value>(_ type: Value.Type, forKey key: String) -> Value? {
    guard let object = object(forKey: key) else { return nil }
    if let value = object as? Value { return value }
    let number: NSNumber
    switch plistValue(forKey: key) {
    case .integer(let integer)?: number = NSNumber(value: integer)
    case .unsignedInteger(let integer)?: number = NSNumber(value: integer)
    case .real(let real)?: number = NSNumber(value: real)
    case .float(let float)?: number = NSNumber(value: float)
    default: return nil
    }
    // No cast of a number gives a CGFloat.
    return number as? Value ?? CGFloat(number.doubleValue) as? Value
  }
}
