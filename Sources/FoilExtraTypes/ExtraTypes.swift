public import Foil

// Types of the standard library that `Foil` leaves to programs, each stored as it is.

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
