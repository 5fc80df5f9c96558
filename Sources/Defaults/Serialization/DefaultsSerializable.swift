public import Foundation
internal import TypedPreferences

/// Adapts a type to preferences through its bridge: ``Defaults/Serializable``.
///
/// Types that are Codable or have raw values only declare the conformance; any other type provides
/// a bridge.
public protocol DefaultsSerializable<Bridge>: SendableMetatype {
  /// The type of the values, which is this type.
  typealias Value = Bridge.Value
  /// The type that is stored.
  typealias Serializable = Bridge.Serializable
  /// The type of the bridge.
  associatedtype Bridge: Defaults.Bridge

  /// The bridge, which converts values to and from the type that is stored.
  static var bridge: Bridge { get }
  /// Whether property lists have the type itself, or the type of its elements.
  static var isNativelySupportedType: Bool { get }
}

extension DefaultsSerializable {
  /// Whether the type is a standard type that property lists have.
  public static var isNativelySupportedType: Bool { Self.self is any NativeType.Type }
}

/// Adapts a type to the type that is stored: ``Defaults/Bridge``.
public protocol DefaultsBridge<Value, Serializable>: Sendable {
  /// The type of the values.
  associatedtype Value
  /// The type that is stored: a property-list type, or a type with its own bridge.
  associatedtype Serializable

  /// Returns what is stored for a value; nil if it cannot be stored.
  func serialize(_ value: Value?) -> Serializable?
  /// Returns the value for a stored form; nil if there is none.
  func deserialize(_ object: Serializable?) -> Value?
}

// The default bridges of types that only declare their conformance to `Defaults.Serializable`.

extension Defaults {
  /// A type that is Codable and has raw values, and is stored as its raw value.
  public protocol PreferRawRepresentable: RawRepresentable {}

  /// A Codable type that is stored as a native property list value instead of as a JSON string.
  public protocol PreferPlist: Codable {}

  /// A class that is Codable and supports secure coding, and is stored as a keyed archive.
  public protocol PreferNSSecureCoding: NSObject, NSSecureCoding {}
}

extension Defaults.Serializable where Self: Codable {
  /// Stores a JSON string.
  public static var bridge: Defaults.TopLevelCodableBridge<Self> {
    Defaults.TopLevelCodableBridge()
  }
}

extension Defaults.Serializable where Self: RawRepresentable {
  /// Stores the raw value.
  public static var bridge: Defaults.RawRepresentableBridge<Self> {
    Defaults.RawRepresentableBridge()
  }
}

extension Defaults.Serializable where Self: Codable & RawRepresentable {
  /// Stores a JSON string; conform to ``Defaults/PreferRawRepresentable`` to store the raw value.
  public static var bridge: Defaults.RawRepresentableCodableBridge<Self> {
    Defaults.RawRepresentableCodableBridge()
  }
}

extension Defaults.Serializable
where Self: Codable & RawRepresentable & Defaults.PreferRawRepresentable {
  /// Stores the raw value.
  public static var bridge: Defaults.RawRepresentableBridge<Self> {
    Defaults.RawRepresentableBridge()
  }
}

extension Defaults.Serializable where Self: Codable & Defaults.PreferPlist {
  /// Stores a native property list value.
  public static var bridge: Defaults.PlistBridge<Self> { Defaults.PlistBridge(.codablePlist()) }
}

extension Defaults.Serializable where Self: Codable & RawRepresentable & Defaults.PreferPlist {
  /// Stores a native property list value.
  public static var bridge: Defaults.PlistBridge<Self> { Defaults.PlistBridge(.codablePlist()) }
}

extension Defaults.Serializable where Self: NSSecureCoding & NSObject {
  /// Stores a keyed archive.
  public static var bridge: Defaults.NSSecureCodingBridge<Self> {
    Defaults.NSSecureCodingBridge()
  }
}

extension Defaults.Serializable where Self: Codable & NSSecureCoding & NSObject {
  /// Stores a JSON string; conform to ``Defaults/PreferNSSecureCoding`` to store a keyed archive.
  public static var bridge: Defaults.CodableNSSecureCodingBridge<Self> {
    Defaults.CodableNSSecureCodingBridge()
  }
}

extension Defaults.Serializable
where Self: Codable & NSSecureCoding & NSObject & Defaults.PreferNSSecureCoding {
  /// Stores a keyed archive.
  public static var bridge: Defaults.NSSecureCodingBridge<Self> {
    Defaults.NSSecureCodingBridge()
  }
}
