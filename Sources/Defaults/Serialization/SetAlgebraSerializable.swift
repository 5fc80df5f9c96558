/// A set that can be stored, as an array in an order that depends only on its elements:
/// ``Defaults/SetAlgebraSerializable``.
public protocol DefaultsSetAlgebraSerializable<Element>: SetAlgebra, DefaultsSerializable {
  /// Returns the elements in any order.
  func toArray() -> [Element]
}

extension Defaults {
  /// A set that can be stored.
  public typealias SetAlgebraSerializable = DefaultsSetAlgebraSerializable
}

extension Defaults.SetAlgebraSerializable
where Element: Defaults.Serializable & Hashable {
  /// Stores an array of the elements.
  public static var bridge: Defaults.SetAlgebraBridge<Self> { Defaults.SetAlgebraBridge() }
}
