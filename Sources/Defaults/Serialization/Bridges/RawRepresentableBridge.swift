internal import TypedPreferences

extension Defaults {
  /// The bridge of types with raw values, which are stored as these.
  public struct RawRepresentableBridge<Value: RawRepresentable>: CoderBridge {
    /// Creates the bridge.
    public init() {}

    /// Returns the raw value of a value.
    public func serialize(_ value: Value?) -> Value.RawValue? {
      value?.rawValue
    }

    /// Returns the value of a raw value; nil if there is none.
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
}
