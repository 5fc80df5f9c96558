internal import TypedPreferences

/// Adapts a type to preferences through its bridge: ``Defaults/Serializable``.
///
/// Types that are Codable or have raw values only declare the conformance; any other type provides
/// a bridge.
public protocol DefaultsSerializable<Bridge>: SendableMetatype {
  /// The type of the values, which is this type.
  typealias Value = Bridge.Value
  /// The type that is stored.
  typealias Serializable = Bridge.Serializable
  /// The type of the bridge.
  associatedtype Bridge: Defaults.Bridge

  /// The bridge, which converts values to and from the type that is stored.
  static var bridge: Bridge { get }
  /// Whether property lists have the type itself, or the type of its elements.
  static var isNativelySupportedType: Bool { get }
}

extension DefaultsSerializable {
  /// Whether the type is a standard type that property lists have.
  public static var isNativelySupportedType: Bool { Self.self is any NativeType.Type }
}
