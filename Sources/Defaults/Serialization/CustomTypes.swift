public import Foundation
internal import TypedPreferences

// The bridges of types that declare to be `Defaults.Serializable` and nothing more.

extension Defaults {
  /// A type that is Codable and has raw values, and is to be stored by these.
  public protocol PreferRawRepresentable: RawRepresentable {}

  /// A Codable type that is to be stored as a native property list, where others are as a text of JSON.
  public protocol PreferPlist: Codable {}

  /// A class that is Codable and can be archived securely, and is to be stored as an archive.
  public protocol PreferNSSecureCoding: NSObject, NSSecureCoding {}
}

extension Defaults.Serializable where Self: Codable {
  /// Stored as a text of JSON.
  public static var bridge: Defaults.PlistBridge<Self> { Defaults.PlistBridge(.jsonText()) }
}

extension Defaults.Serializable where Self: RawRepresentable, RawValue: Defaults.Serializable {
  /// Stored as the raw value.
  public static var bridge: Defaults.PlistBridge<Self> {
    Defaults.PlistBridge(PlistCoder.raw(.serializable()).readingJSON())
  }
}

extension Defaults.Serializable
where Self: Codable & RawRepresentable, RawValue: Defaults.Serializable {
  /// Stored as a text of JSON; ``Defaults/PreferRawRepresentable`` has the raw value stored.
  public static var bridge: Defaults.PlistBridge<Self> { Defaults.PlistBridge(.jsonText()) }
}

extension Defaults.Serializable
where Self: Codable & Defaults.PreferRawRepresentable, RawValue: Defaults.Serializable {
  /// Stored as the raw value.
  public static var bridge: Defaults.PlistBridge<Self> {
    Defaults.PlistBridge(PlistCoder.raw(.serializable()).readingJSON())
  }
}

extension Defaults.Serializable where Self: Codable & Defaults.PreferPlist {
  /// Stored as a native property list.
  public static var bridge: Defaults.PlistBridge<Self> { Defaults.PlistBridge(.codablePlist()) }
}

extension Defaults.Serializable
where Self: Codable & RawRepresentable & Defaults.PreferPlist, RawValue: Defaults.Serializable {
  /// Stored as a native property list.
  public static var bridge: Defaults.PlistBridge<Self> { Defaults.PlistBridge(.codablePlist()) }
}

extension Defaults.Serializable where Self: NSObject & NSSecureCoding {
  /// Stored as a keyed archive.
  public static var bridge: Defaults.PlistBridge<Self> { Defaults.PlistBridge(.keyedArchive()) }
}

extension Defaults.Serializable where Self: Codable & NSObject & NSSecureCoding {
  /// Stored as a text of JSON; ``Defaults/PreferNSSecureCoding`` has a keyed archive stored.
  public static var bridge: Defaults.PlistBridge<Self> { Defaults.PlistBridge(.jsonText()) }
}

extension Defaults.Serializable where Self: Codable & Defaults.PreferNSSecureCoding {
  /// Stored as a keyed archive.
  public static var bridge: Defaults.PlistBridge<Self> { Defaults.PlistBridge(.keyedArchive()) }
}
