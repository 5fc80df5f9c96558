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
  /// Stores a standard type in its own form, and any other type as a JSON string.
  public static var bridge: Defaults.PlistBridge<Self> {
    Defaults.PlistBridge(.standard() ?? .jsonText())
  }
}

extension Defaults.Serializable where Self: RawRepresentable, RawValue: Defaults.Serializable {
  /// Stores the raw value.
  public static var bridge: Defaults.PlistBridge<Self> {
    Defaults.PlistBridge(PlistCoder.raw(.serializable()).readingJSON())
  }
}

extension Defaults.Serializable
where Self: Codable & RawRepresentable, RawValue: Defaults.Serializable {
  /// Stores a JSON string; conform to ``Defaults/PreferRawRepresentable`` to store the raw value.
  public static var bridge: Defaults.PlistBridge<Self> { Defaults.PlistBridge(.jsonText()) }
}

extension Defaults.Serializable
where Self: Codable & Defaults.PreferRawRepresentable, RawValue: Defaults.Serializable {
  /// Stores the raw value.
  public static var bridge: Defaults.PlistBridge<Self> {
    Defaults.PlistBridge(PlistCoder.raw(.serializable()).readingJSON())
  }
}

extension Defaults.Serializable where Self: Codable & Defaults.PreferPlist {
  /// Stores a native property list value.
  public static var bridge: Defaults.PlistBridge<Self> { Defaults.PlistBridge(.codablePlist()) }
}

extension Defaults.Serializable
where Self: Codable & RawRepresentable & Defaults.PreferPlist, RawValue: Defaults.Serializable {
  /// Stores a native property list value.
  public static var bridge: Defaults.PlistBridge<Self> { Defaults.PlistBridge(.codablePlist()) }
}

extension Defaults.Serializable where Self: NSObject & NSSecureCoding {
  /// Stores a keyed archive.
  public static var bridge: Defaults.PlistBridge<Self> { Defaults.PlistBridge(.keyedArchive()) }
}

extension Defaults.Serializable where Self: Codable & NSObject & NSSecureCoding {
  /// Stores a JSON string; conform to ``Defaults/PreferNSSecureCoding`` to store a keyed archive.
  public static var bridge: Defaults.PlistBridge<Self> { Defaults.PlistBridge(.jsonText()) }
}

extension Defaults.Serializable where Self: Codable & Defaults.PreferNSSecureCoding {
  /// Stores a keyed archive.
  public static var bridge: Defaults.PlistBridge<Self> { Defaults.PlistBridge(.keyedArchive()) }
}
