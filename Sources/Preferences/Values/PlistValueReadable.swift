public import FoundationEssentials
public import PropertyList

/// A type that ``PreferencesStore/value(_:forKey:)`` can read.
///
/// The integer types, `Bool`, `Double`, `Float`, `String`, `Data`, `Date`, `URL`, `PlistValue` and
/// `PlistDictionary` conform, and so do arrays and dictionaries of them. An enumeration with raw
/// values only needs to declare the conformance:
///
/// ```swift
/// enum Level: String, PlistValueReadable { case debug, info, warning }
/// ```
public protocol PlistValueReadable {
  /// Returns nil if the value is not of this type. If `isText` is true, the value is from the
  /// command line or the environment, where a string may represent another type.
  static func read(from value: PlistValue, isText: Bool) -> Self?

  /// The expected type with its article, for errors: `an integer`.
  static var plistDescription: String { get }
}

extension PlistValueReadable {
  fileprivate static func typed(
    _ value: PlistValue, as kind: PlistValue.Kind, isText: Bool
  ) -> PlistValue? {
    guard isText, case .string(let text) = value else { return value }
    return Coercion.value(text, as: kind)
  }
}

/// Any integer in the range of the type.
extension PlistValueReadable where Self: FixedWidthInteger {
  /// Reads an integer.
  public static func read(from value: PlistValue, isText: Bool) -> Self? {
    switch typed(value, as: .integer, isText: isText) {
    case .integer(let number)?: Self(exactly: number)
    case .unsignedInteger(let number)?: Self(exactly: number)
    default: nil
    }
  }

  /// `an integer`, with its range if it is smaller than `Int`'s.
  public static var plistDescription: String {
    Self.bitWidth < Int.bitWidth || min == 0 ? "an integer from \(min) to \(max)" : "an integer"
  }
}

extension Int: PlistValueReadable {}
extension Int8: PlistValueReadable {}
extension Int16: PlistValueReadable {}
extension Int32: PlistValueReadable {}
extension Int64: PlistValueReadable {}
extension UInt: PlistValueReadable {}
extension UInt8: PlistValueReadable {}
extension UInt16: PlistValueReadable {}
extension UInt32: PlistValueReadable {}
extension UInt64: PlistValueReadable {}

/// A Boolean, not a number.
extension Bool: PlistValueReadable {
  /// Reads a Boolean.
  public static func read(from value: PlistValue, isText: Bool) -> Bool? {
    if case .boolean(let flag)? = typed(value, as: .boolean, isText: isText) { flag } else { nil }
  }

  /// `a boolean`.
  public static var plistDescription: String { "a boolean" }
}

/// A real or an integer.
extension Double: PlistValueReadable {
  /// Reads a number.
  public static func read(from value: PlistValue, isText: Bool) -> Double? {
    switch typed(value, as: .real, isText: isText) {
    case .real(let number)?: number
    case .float(let number)?: Double(number)
    case .integer(let number)?: Double(number)
    case .unsignedInteger(let number)?: Double(number)
    default: nil
    }
  }

  /// `a number`.
  public static var plistDescription: String { "a number" }
}

/// A real or an integer, rounded to the nearest float.
extension Float: PlistValueReadable {
  /// Reads a number.
  public static func read(from value: PlistValue, isText: Bool) -> Float? {
    if case .float(let number) = value { return number }
    return Double.read(from: value, isText: isText).map { Float($0) }
  }

  /// `a number`.
  public static var plistDescription: String { "a number" }
}

/// A string, not a number.
extension String: PlistValueReadable {
  /// Reads a string.
  public static func read(from value: PlistValue, isText: Bool) -> String? {
    if case .string(let string) = value { string } else { nil }
  }

  /// `a string`.
  public static var plistDescription: String { "a string" }
}

/// Data, or text in Base64.
extension Data: PlistValueReadable {
  /// Reads data.
  public static func read(from value: PlistValue, isText: Bool) -> Data? {
    if case .data(let data)? = typed(value, as: .data, isText: isText) { data } else { nil }
  }

  /// `data`.
  public static var plistDescription: String { "data" }
}

/// A date, or text such as `2024-03-01T12:00:00Z`.
extension Date: PlistValueReadable {
  /// Reads a date.
  public static func read(from value: PlistValue, isText: Bool) -> Date? {
    if case .date(let date)? = typed(value, as: .date, isText: isText) { date } else { nil }
  }

  /// `a date`.
  public static var plistDescription: String { "a date" }
}

/// A URL as ``ReadablePreferences/url(forKey:)`` reads it.
extension URL: PlistValueReadable {
  /// Reads a URL.
  public static func read(from value: PlistValue, isText: Bool) -> URL? {
    URLCoding.url(from: value)
  }

  /// `a URL`.
  public static var plistDescription: String { "a URL" }
}

extension PlistValue: PlistValueReadable {
  /// Returns the value.
  public static func read(from value: PlistValue, isText: Bool) -> PlistValue? { value }

  /// `a value`.
  public static var plistDescription: String { "a value" }
}

extension PlistDictionary: PlistValueReadable {
  /// Reads a dictionary in document order.
  public static func read(from value: PlistValue, isText: Bool) -> PlistDictionary? {
    let value = typed(value, as: .dictionary, isText: isText)
    return if case .dictionary(let dictionary)? = value { dictionary } else { nil }
  }

  /// `a dictionary`.
  public static var plistDescription: String { "a dictionary" }
}

extension Array: PlistValueReadable where Element: PlistValueReadable {
  /// Reads an array whose elements all have the type.
  public static func read(from value: PlistValue, isText: Bool) -> [Element]? {
    guard case .array(let elements)? = typed(value, as: .array, isText: isText) else { return nil }
    let result = elements.compactMap { Element.read(from: $0, isText: isText) }
    return result.count == elements.count ? result : nil
  }

  /// `an array in which each element is a string`, for example.
  public static var plistDescription: String {
    "an array in which each element is \(Element.plistDescription)"
  }
}

extension Dictionary: PlistValueReadable where Key == String, Value: PlistValueReadable {
  /// Reads a dictionary whose values all have the type.
  public static func read(from value: PlistValue, isText: Bool) -> [String: Value]? {
    guard let entries = PlistDictionary.read(from: value, isText: isText) else { return nil }
    var result: [String: Value] = [:]
    for (key, value) in entries {
      guard let value = Value.read(from: value, isText: isText) else { return nil }
      result[key] = value
    }
    return result
  }

  /// `a dictionary in which each value is an integer`, for example.
  public static var plistDescription: String {
    "a dictionary in which each value is \(Value.plistDescription)"
  }
}

extension PlistValueReadable where Self: RawRepresentable, RawValue: PlistValueReadable {
  /// Reads a raw value.
  public static func read(from value: PlistValue, isText: Bool) -> Self? {
    RawValue.read(from: value, isText: isText).flatMap { Self(rawValue: $0) }
  }

  /// `a raw value of Level`, or for a `CaseIterable` type with at most 12 cases
  /// `a raw value of Level (low, high)`.
  public static var plistDescription: String { rawValueDescription }
}

extension RawRepresentable {
  /// The name of an expected value in errors, with the raw values of a type that lists its cases.
  package static var rawValueDescription: String {
    let name = "a raw value of \(Self.self)"
    func rawValues<Cases: CaseIterable>(of type: Cases.Type) -> [String] {
      type.allCases.prefix(13).compactMap { ($0 as? Self).map { "\($0.rawValue)" } }
    }
    guard let type = Self.self as? any CaseIterable.Type else { return name }
    let values = rawValues(of: type)
    return values.isEmpty || values.count > 12
      ? name : "\(name) (\(values.joined(separator: ", ")))"
  }
}
