public import Foundation
public import FoundationEssentials
public import PropertyList
package import TypedPreferences

extension Defaults {
  /// A bridge of Codable types, which are stored as strings of JSON.
  ///
  /// A type that conforms needs nothing more than a value type:
  ///
  /// ```swift
  /// struct SiteBridge: Defaults.CodableBridge {
  ///   typealias Value = Site
  /// }
  /// ```
  public protocol CodableBridge<Value>: Bridge where Serializable == String, Value: Codable {}
}

extension Defaults.CodableBridge {
  /// Returns a value as JSON with sorted keys; nil if it cannot be encoded.
  public func serialize(_ value: Value?) -> String? {
    guard let value, let json = try? CodableJSON.encode(value) else { return nil }
    return String(decoding: json, as: UTF8.self)
  }

  /// Returns the value that JSON represents; nil if it cannot be decoded.
  public func deserialize(_ object: String?) -> Value? {
    guard let object else { return nil }
    return try? CodableJSON.decode(Value.self, from: Data(object.utf8))
  }
}

extension Defaults {
  /// The bridge of Codable types, which are stored as strings of JSON.
  ///
  /// Types that property lists have are stored without conversion.
  public struct TopLevelCodableBridge<Value: Codable>: CodableBridge, CoderBridge {
    // Not a DerivedBridge: a type that is Codable but not Serializable has no coder.

    /// Creates the bridge.
    public init() {}

    func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
      Value.self == type ? .codableText() : nil
    }
  }

  /// The bridge of Codable types with raw values, which are stored as strings of JSON.
  public typealias RawRepresentableCodableBridge<
    Value: RawRepresentable & Codable
  > = TopLevelCodableBridge<Value>

  /// The bridge of Codable classes with secure coding, which are stored as strings of JSON.
  public typealias CodableNSSecureCodingBridge<
    Value: Codable & NSSecureCoding & NSObject
  > = TopLevelCodableBridge<Value>

  /// The bridge of URLs, which are stored as JSON strings.
  public struct URLBridge: DerivedBridge {
    /// A URL.
    public typealias Value = URL
    /// Its JSON string.
    public typealias Serializable = String

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<URL> { URL.quotingCoder }
    var formCoder: PlistCoder<URL> { .jsonTextOrStandardForm() }
  }

  /// The bridge of types with raw values, which are stored as these.
  public struct RawRepresentableBridge<Value: RawRepresentable>: CoderBridge {
    // Not a DerivedBridge: a type that is not Serializable has no coder.

    /// Creates the bridge.
    public init() {}

    /// Returns the raw value of a value.
    public func serialize(_ value: Value?) -> Value.RawValue? {
      value?.rawValue
    }

    /// Returns the value with a raw value; nil if there is none.
    public func deserialize(_ object: Value.RawValue?) -> Value? {
      object.flatMap { Value(rawValue: $0) }
    }

    func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
      func coder<Raw: RawRepresentable & DefaultsSerializable>(of type: Raw.Type) -> Any {
        PlistCoder<Raw>.raw(.stored(byBridgeOf: Raw.self)).readingJSON()
      }
      guard Value.self == type,
        let type = type as? any (RawRepresentable & DefaultsSerializable).Type
      else { return nil }
      return coder(of: type) as? PlistCoder<Stored>
    }
  }

  /// The bridge of UUIDs, which are stored as their text.
  public struct UUIDBridge: DerivedBridge {
    /// A UUID.
    public typealias Value = UUID
    /// Its text.
    public typealias Serializable = String

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<UUID> { UUID.plistCoder }
  }

  /// The bridge of types with a direct property list form.
  public struct PlistBridge<Value>: DerivedBridge {
    /// The stored value.
    public typealias Serializable = PlistValue

    let coder: PlistCoder<Value>

    package init(_ coder: PlistCoder<Value>) { self.coder = coder }
  }

  /// The bridge of classes with secure coding, which are stored as keyed archives.
  public struct NSSecureCodingBridge<Value: NSSecureCoding & NSObject>: DerivedBridge {
    /// The archive.
    public typealias Serializable = Data

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<Value> { .keyedArchive() }
  }
}
