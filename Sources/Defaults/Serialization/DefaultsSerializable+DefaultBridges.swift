public import Foundation
internal import TypedPreferences

// The default bridges of types that only declare to be `Defaults.Serializable`.

extension Defaults {
  /// A type that is Codable and has raw values, and is stored as these.
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
