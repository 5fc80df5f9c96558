public import Foundation
public import Preferences
public import PropertyList

extension NSString: PlistValueConvertible {
  /// The text.
  public var plistValue: PlistValue? { .string(String(self)) }
}

extension NSData: PlistValueConvertible {
  /// The bytes.
  public var plistValue: PlistValue? { .data(Data(referencing: self)) }
}

extension NSDate: PlistValueConvertible {
  /// The point in time.
  public var plistValue: PlistValue? {
    .date(Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate))
  }
}

extension NSURL: PlistValueConvertible {
  /// The URL, in the form in which `url(forKey:)` reads it.
  public var plistValue: PlistValue? {
    ((self as Any) as? URL).flatMap { try? PlistValue(storing: $0) }
  }
}

extension NSNumber: PlistValueConvertible {
  /// The number in the kind and width in which it is stored: a Boolean, an integer of 64 bits with
  /// or without a sign, a float or a double. Decimal numbers become doubles.
  public var plistValue: PlistValue? {
    // There are two objects for Booleans, and no number of any type is one of them.
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

extension CGFloat: PlistValueConvertible {
  /// The number.
  public var plistValue: PlistValue? { .real(Double(self)) }
}
