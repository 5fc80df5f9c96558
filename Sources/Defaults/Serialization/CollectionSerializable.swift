internal import TypedPreferences

/// A collection that can be stored: ``Defaults/CollectionSerializable``.
///
/// It is stored as the array of its elements.
public protocol DefaultsCollectionSerializable: Collection, DefaultsSerializable {
  /// The collection of the elements that are stored.
  init(_ elements: [Element])
}

extension Defaults {
  /// A collection that can be stored.
  public typealias CollectionSerializable = DefaultsCollectionSerializable
}

extension Defaults.CollectionSerializable where Element: Defaults.Serializable {
  /// Stored as an array.
  public static var bridge: Defaults.PlistBridge<Self> {
    Defaults.PlistBridge(
      PlistCoder.collection(of: PlistCoder<Element>.serializable()) {
        Array($0)
      } make: {
        Self($0)
      }.readingJSON())
  }
}
