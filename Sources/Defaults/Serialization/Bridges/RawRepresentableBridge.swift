internal import TypedPreferences

extension Defaults {
  /// The bridge of types with raw values, which are stored as these.
  public struct RawRepresentableBridge<Value: RawRepresentable & SendableMetatype>: DerivedBridge {
    /// The raw value.
    public typealias Serializable = Value.RawValue

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<Value> { .raw(.stored(byBridgeOf: Value.self)).readingJSON() }
  }
}
