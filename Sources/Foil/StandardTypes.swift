public import FoundationEssentials

// The standard types that can be stored, each as it is. They are those of the library of this name.
// The other types of `StandardTypes.swift` in `TypedPreferences` are Codable, and stored as such once
// a program declares them to be serializable; `FoilExtraTypes` does so for some in another way.
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

extension UInt: UserDefaultsSerializable {
  /// The value itself.
  public var storedValue: UInt { self }
  /// Creates the value itself.
  public init(storedValue: UInt) { self = storedValue }
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
