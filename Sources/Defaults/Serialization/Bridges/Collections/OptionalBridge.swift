internal import TypedPreferences

extension Defaults {
  /// The bridge of optionals, which is that of the wrapped type: nothing is stored for nil.
  public struct OptionalBridge<Wrapped: DefaultsSerializable>: CoderBridge {
    /// The values of the wrapped type.
    public typealias Value = Wrapped.Value
    /// The stored form of the wrapped type.
    public typealias Serializable = Wrapped.Serializable

    /// Creates the bridge.
    public init() {}

    /// Returns what is stored for a value; nil for nil.
    public func serialize(_ value: Value?) -> Serializable? {
      Wrapped.bridge.serialize(value)
    }

    /// Returns the value of what is stored; nil if there is none.
    public func deserialize(_ object: Serializable?) -> Value? {
      Wrapped.bridge.deserialize(object)
    }

    func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
      PlistCoder<Wrapped?>.optional(of: .serializable()) as? PlistCoder<Stored>
    }
  }
}
