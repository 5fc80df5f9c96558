public import PropertyList

/// The values of all layers of a store at one moment.
///
/// It never changes: several keys that are read from it belong together, whatever other threads and
/// processes save meanwhile.
///
/// ```swift
/// let snapshot = store.snapshot()
/// connect(to: snapshot.string(forKey: "host"), port: snapshot.integer(forKey: "port"))
/// ```
///
/// Its getters return what those of the store return at that moment. It retains the values, also
/// those that the store has replaced since.
public struct PreferencesSnapshot: ReadablePreferences, Sendable {
  private let layers: CapturedLayers

  init(_ layers: CapturedLayers) {
    self.layers = layers
  }

  /// The value of a key in the first layer that has one.
  public func plistValue(forKey key: String) -> PlistValue? {
    layers.value(forKey: key)
  }

  /// The layers that have a value for a key, in search order: the first one supplies the value and
  /// shadows the others.
  public func origins(forKey key: String) -> [PreferencesOrigin] {
    layers.origins(forKey: key)
  }

  /// The values of all layers, sorted by key: for each key the one that ``plistValue(forKey:)``
  /// returns.
  public var plistRepresentation: PlistDictionary { layers.all }
}
