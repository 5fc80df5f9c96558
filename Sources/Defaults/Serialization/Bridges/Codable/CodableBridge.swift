internal import FoundationEssentials
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
