internal import TypedPreferences

extension Defaults {
  /// The bridge of optionals, which is that of the wrapped type: nothing is stored for nil.
  public struct OptionalBridge<Wrapped: DefaultsSerializable>: DerivedBridge {
    /// The values of the wrapped type.
    public typealias Value = Wrapped.Value
    /// The stored form of the wrapped type.
    public typealias Serializable = Wrapped.Serializable

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<Wrapped?> { .optional(of: .serializable()) }
    var formCoder: PlistCoder<Wrapped?> { .optional(of: .form()) }
  }
}
