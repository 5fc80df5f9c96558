public import PropertyList

/// The values of all layers of a store at one moment.
///
/// A snapshot never changes: several keys read from it are consistent, whatever other threads and
/// processes save.
///
/// ```swift
/// let snapshot = store.snapshot()
/// connect(to: snapshot.string(forKey: "host"), port: snapshot.integer(forKey: "port"))
/// ```
///
/// Its getters return what the store's returned at that moment. It retains the values, including
/// those that the store has replaced since.
public struct PreferencesSnapshot: ReadablePreferences, Sendable {
  private let layers: CapturedLayers

  init(_ layers: CapturedLayers) { self.layers = layers }

  /// The value of a key in the first layer that has one.
  public func plistValue(forKey key: String) -> PlistValue? { layers.value(forKey: key) }

  /// The layers that have a value for a key, in search order. The first one supplies the value.
  public func origins(forKey key: String) -> [PreferencesOrigin] { layers.origins(forKey: key) }

  /// The effective values, sorted by key: for each key, what ``plistValue(forKey:)`` returns.
  public var plistRepresentation: PlistDictionary { layers.all }
}
