/// A type whose values can be stored: ``Defaults/Serializable``.
///
/// Types that are Codable or have raw values need nothing more than to declare it; any other type names a
/// bridge.
public protocol DefaultsSerializable: SendableMetatype {
  /// The type of the values, which is this one.
  typealias Value = Bridge.Value
  /// The type in whose form they are stored.
  typealias Serializable = Bridge.Serializable
  /// What stores and restores values.
  associatedtype Bridge: Defaults.Bridge

  /// What stores and restores values.
  static var bridge: Bridge { get }
  /// Whether property lists have the type itself, or containers of it.
  static var isNativelySupportedType: Bool { get }
}

extension DefaultsSerializable {
  /// Whether property lists have the type itself: they do not.
  public static var isNativelySupportedType: Bool { false }
}
