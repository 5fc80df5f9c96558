/// A collection that can be stored, as an array of its elements:
/// ``Defaults/CollectionSerializable``.
public protocol DefaultsCollectionSerializable<Element>: Collection, DefaultsSerializable {
  /// Creates a collection of stored elements.
  init(_ elements: [Element])
}

extension Defaults {
  /// A collection that can be stored.
  public typealias CollectionSerializable = DefaultsCollectionSerializable
}

extension Defaults.CollectionSerializable where Element: Defaults.Serializable {
  /// Stores an array of the elements.
  public static var bridge: Defaults.CollectionBridge<Self> { Defaults.CollectionBridge() }
}
