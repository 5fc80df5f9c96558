import Defaults
import Foundation

// Repeats the default implementations, so that programs can choose between them where the compiler
// cannot.

extension Defaults.Serializable where Self: Codable {
  /// Stores a JSON string.
  public static var bridge: Defaults.TopLevelCodableBridge<Self> {
    Defaults.TopLevelCodableBridge()
  }
}

extension Defaults.Serializable where Self: Codable & NSSecureCoding & NSObject {
  /// Stores a JSON string.
  public static var bridge: Defaults.CodableNSSecureCodingBridge<Self> {
    Defaults.CodableNSSecureCodingBridge()
  }
}

extension Defaults.Serializable
where Self: Codable & NSSecureCoding & NSObject & Defaults.PreferNSSecureCoding {
  /// Stores an archive.
  public static var bridge: Defaults.NSSecureCodingBridge<Self> { Defaults.NSSecureCodingBridge() }
}

extension Defaults.Serializable where Self: Codable & RawRepresentable {
  /// Stores a JSON string.
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

extension Defaults.Serializable where Self: RawRepresentable {
  /// Stores the raw value.
  public static var bridge: Defaults.RawRepresentableBridge<Self> {
    Defaults.RawRepresentableBridge()
  }
}

extension Defaults.Serializable where Self: NSSecureCoding & NSObject {
  /// Stores an archive.
  public static var bridge: Defaults.NSSecureCodingBridge<Self> { Defaults.NSSecureCodingBridge() }
}
