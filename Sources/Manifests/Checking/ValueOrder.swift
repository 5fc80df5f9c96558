internal import FoundationEssentials
internal import PropertyList

/// The order and equality of values across integers and reals.
enum ValueOrder {
  /// Whether a number or date is less than another; false for other values.
  static func isAscending(_ left: PlistValue, _ right: PlistValue) -> Bool {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): return a < b
    case (.unsignedInteger(let a), .unsignedInteger(let b)): return a < b
    case (.integer(let a), .unsignedInteger(let b)): return a < 0 || UInt64(a) < b
    case (.unsignedInteger(let a), .integer(let b)): return b > 0 && a < UInt64(b)
    case (.date(let a), .date(let b)): return a < b
    default:
      guard let a = number(left), let b = number(right) else { return false }
      return a < b
    }
  }

  static func isInRange(_ value: PlistValue, _ minimum: PlistValue?, _ maximum: PlistValue?) -> Bool
  {
    if let minimum, isAscending(value, minimum) { return false }
    if let maximum, isAscending(maximum, value) { return false }
    return true
  }

  /// The value, or the integer that equals a real.
  static func normalized(_ value: PlistValue) -> PlistValue {
    guard let number = number(value), let integer = Int64(exactly: number), value.kind == .real
    else { return value }
    return .integer(integer)
  }

  private static func number(_ value: PlistValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .unsignedInteger(let number): Double(number)
    case .real(let number): number
    case .float(let number): Double(number)
    default: nil
    }
  }
}
