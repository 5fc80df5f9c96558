public import Foundation
public import Preferences
public import PropertyList

extension NSString: PlistValueConvertible {
  /// The text as a string.
  public var plistValue: PlistValue? { .string(String(self)) }
}

extension NSData: PlistValueConvertible {
  /// The bytes as data.
  public var plistValue: PlistValue? { .data(Data(referencing: self)) }
}

extension NSDate: PlistValueConvertible {
  /// The point in time as a date.
  public var plistValue: PlistValue? {
    .date(Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate))
  }
}

extension NSURL: PlistValueConvertible {
  /// The URL in the form that `url(forKey:)` reads.
  public var plistValue: PlistValue? {
    ((self as Any) as? URL).flatMap { try? PlistValue(storing: $0) }
  }
}

extension NSNumber: PlistValueConvertible {
  /// The number in its own kind and width: a Boolean, a signed or unsigned 64-bit integer, a float
  /// or a double. Decimal numbers become doubles.
  public var plistValue: PlistValue? {
    // The two Booleans are distinct objects, which are never used for other numbers.
    if self === NSNumber(value: true) { return .boolean(true) }
    if self === NSNumber(value: false) { return .boolean(false) }
    return switch UInt8(bitPattern: objCType.pointee) {
    case UInt8(ascii: "f"): .float(floatValue)
    case UInt8(ascii: "d"): .real(doubleValue)
    case UInt8(ascii: "Q"): PlistValue(unsigned: uint64Value)
    default: .integer(int64Value)
    }
  }
}

extension NSNull: PlistValueConvertible {
  /// Null, which property lists do not have, so that storing it fails.
  public var plistValue: PlistValue? { .null }
}

extension CGFloat: PlistValueConvertible {
  /// The number as a real.
  public var plistValue: PlistValue? { .real(Double(self)) }
}

extension NSArray: PlistValueConvertible, PlistContainerConvertible {
  /// The elements as an array; nil if one of them cannot be stored.
  public var plistValue: PlistValue? { try? PlistValue(storing: self) }

  package var untypedElements: UntypedElements? { .array(Array(self)) }
}

extension NSDictionary: PlistValueConvertible, PlistContainerConvertible {
  /// The entries as a dictionary; nil if a key is not a string or a value cannot be stored.
  public var plistValue: PlistValue? { try? PlistValue(storing: self) }

  package var untypedElements: UntypedElements? {
    var entries: [String: Any] = [:]
    for (key, value) in self {
      guard let key = key as? String else { return nil }
      entries[key] = value
    }
    return .dictionary(entries)
  }
}

extension ReadablePreferences {
  /// The value of a key as a type, as if Foundation's object were cast: a number has every number
  /// type that can represent it exactly, and `CGFloat`.
  ///
  /// `object(forKey:)` returns an `Int`, which `as?` does not cast to other number types.
  ///
  /// - Returns: Nil for a value of another type. A Boolean is not a number.
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
    // A number cannot be cast to CGFloat.
    return number as? Value ?? CGFloat(number.doubleValue) as? Value
  }
}

extension PlistFormat {
  /// Creates the format that corresponds to a format of Foundation's.
  public init(_ format: PropertyListSerialization.PropertyListFormat) {
    self =
      switch format {
      case .xml: .xml
      case .binary: .binary
      case .openStep: .openStep
      @unknown default: preconditionFailure("an unknown property list format, \(format)")
      }
  }
}
