internal import TypedPreferences

extension Defaults {
  /// The bridge of ``AnySerializable``, whose values are stored in their own form.
  public struct AnyBridge: CoderBridge {
    /// Creates the bridge.
    public init() {}

    /// Returns the stored form of a value; nil if there is none.
    public func serialize(_ value: AnySerializable?) -> Any? {
      value.flatMap { try? AnySerializable.plistCoder.encode($0) }?.anyValue
    }

    /// Returns a value of a dynamic type.
    public func deserialize(_ object: Any?) -> AnySerializable? {
      object.map { AnySerializable(untyped: $0) }
    }

    func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
      AnySerializable.plistCoder as? PlistCoder<Stored>
    }
  }
}
