public import FoundationEssentials

// The standard types that can be stored, each as it is. The other types of `StandardTypes.swift` in
// `TypedPreferences` are Codable, and stored as such once a program declares them to be
// serializable.
//
// There is no shared default implementation: in a program's own Codable types it would take
// precedence over the one for Codable.

extension Bool: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: Bool { self }
  /// Creates the value itself.
  public init(storedValue: Bool) { self = storedValue }
}

extension Int: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: Int { self }
  /// Creates the value itself.
  public init(storedValue: Int) { self = storedValue }
}

extension Int8: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: Int8 { self }
  /// Creates the value itself.
  public init(storedValue: Int8) { self = storedValue }
}

extension Int16: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: Int16 { self }
  /// Creates the value itself.
  public init(storedValue: Int16) { self = storedValue }
}

extension Int32: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: Int32 { self }
  /// Creates the value itself.
  public init(storedValue: Int32) { self = storedValue }
}

extension Int64: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: Int64 { self }
  /// Creates the value itself.
  public init(storedValue: Int64) { self = storedValue }
}

extension UInt: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: UInt { self }
  /// Creates the value itself.
  public init(storedValue: UInt) { self = storedValue }
}

extension UInt8: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: UInt8 { self }
  /// Creates the value itself.
  public init(storedValue: UInt8) { self = storedValue }
}

extension UInt16: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: UInt16 { self }
  /// Creates the value itself.
  public init(storedValue: UInt16) { self = storedValue }
}

extension UInt32: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: UInt32 { self }
  /// Creates the value itself.
  public init(storedValue: UInt32) { self = storedValue }
}

extension UInt64: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: UInt64 { self }
  /// Creates the value itself.
  public init(storedValue: UInt64) { self = storedValue }
}

extension Float: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: Float { self }
  /// Creates the value itself.
  public init(storedValue: Float) { self = storedValue }
}

extension Double: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: Double { self }
  /// Creates the value itself.
  public init(storedValue: Double) { self = storedValue }
}

extension String: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: String { self }
  /// Creates the value itself.
  public init(storedValue: String) { self = storedValue }
}

extension URL: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: URL { self }
  /// Creates the value itself.
  public init(storedValue: URL) { self = storedValue }
}

extension Date: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: Date { self }
  /// Creates the value itself.
  public init(storedValue: Date) { self = storedValue }
}

extension Data: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: Data { self }
  /// Creates the value itself.
  public init(storedValue: Data) { self = storedValue }
}
