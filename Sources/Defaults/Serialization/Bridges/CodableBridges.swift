public import Foundation
public import FoundationEssentials
internal import TypedPreferences

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

  /// Returns the value of JSON; nil if it cannot be decoded.
  public func deserialize(_ object: String?) -> Value? {
    guard let object else { return nil }
    return try? CodableJSON.decode(Value.self, from: Data(object.utf8))
  }
}

extension Defaults {
  /// The bridge of Codable types, which are stored as strings of JSON.
  ///
  /// Types that property lists have are stored as they are.
  public struct TopLevelCodableBridge<Value: Codable>: CodableBridge, CoderBridge {
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
}

extension Defaults {
  /// The bridge of URLs, which are stored as JSON strings.
  public struct URLBridge: CodableBridge, CoderBridge {
    /// A URL.
    public typealias Value = URL

    /// Creates the bridge.
    public init() {}

    func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
      URL.quotingCoder as? PlistCoder<Stored>
    }
  }
}
