public import FoundationEssentials

// The standard types that can be stored. The other types of `StandardTypes.swift` in
// `TypedPreferences` are Codable, and stored as such once a program declares them to be
// serializable.

/// Standard types, stored as they are.
extension UserDefaultsSerializable where Self: Codable, StoredValue == Self {
  /// The value itself.
  public var storedValue: Self { self }
  /// Creates the value itself.
  public init(storedValue: Self) { self = storedValue }
}

extension Bool: UserDefaultsSerializable {
  /// The type itself.
  public typealias StoredValue = Bool
}

extension Int: UserDefaultsSerializable {
  /// The type itself.
  public typealias StoredValue = Int
}

extension Int8: UserDefaultsSerializable {
  /// The type itself.
  public typealias StoredValue = Int8
}

extension Int16: UserDefaultsSerializable {
  /// The type itself.
  public typealias StoredValue = Int16
}

extension Int32: UserDefaultsSerializable {
  /// The type itself.
  public typealias StoredValue = Int32
}

extension Int64: UserDefaultsSerializable {
  /// The type itself.
  public typealias StoredValue = Int64
}

extension UInt: UserDefaultsSerializable {
  /// The type itself.
  public typealias StoredValue = UInt
}

extension UInt8: UserDefaultsSerializable {
  /// The type itself.
  public typealias StoredValue = UInt8
}

extension UInt16: UserDefaultsSerializable {
  /// The type itself.
  public typealias StoredValue = UInt16
}

extension UInt32: UserDefaultsSerializable {
  /// The type itself.
  public typealias StoredValue = UInt32
}

extension UInt64: UserDefaultsSerializable {
  /// The type itself.
  public typealias StoredValue = UInt64
}

extension Float: UserDefaultsSerializable {
  /// The type itself.
  public typealias StoredValue = Float
}

extension Double: UserDefaultsSerializable {
  /// The type itself.
  public typealias StoredValue = Double
}

extension String: UserDefaultsSerializable {
  /// The type itself.
  public typealias StoredValue = String
}

extension Date: UserDefaultsSerializable {
  /// The type itself.
  public typealias StoredValue = Date
}

extension Data: UserDefaultsSerializable {
  /// The type itself.
  public typealias StoredValue = Data
}

extension URL: UserDefaultsSerializable {
  /// The type itself.
  public typealias StoredValue = URL
}
