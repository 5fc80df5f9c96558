internal import TypedPreferences

/// A set that can be stored: ``Defaults/SetAlgebraSerializable``.
///
/// It is stored as an array of its elements, in an order that depends on nothing but them.
public protocol DefaultsSetAlgebraSerializable: SetAlgebra, DefaultsSerializable {
  /// The elements, in any order.
  func toArray() -> [Element]
}

extension Defaults {
  /// A set that can be stored.
  public typealias SetAlgebraSerializable = DefaultsSetAlgebraSerializable
}

extension Defaults.SetAlgebraSerializable
where Element: Defaults.Serializable & Hashable {
  /// Stored as an array.
  public static var bridge: Defaults.PlistBridge<Self> {
    Defaults.PlistBridge(
      PlistCoder.unordered(of: PlistCoder<Element>.serializable()) {
        $0.toArray()
      } make: {
        Self($0)
      }.readingJSON())
  }
}
