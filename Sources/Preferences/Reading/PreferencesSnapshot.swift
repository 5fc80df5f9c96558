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
/// Its getters return what the store's getters returned at that moment. It retains the values,
/// including values that the store has replaced since.
public struct PreferencesSnapshot: ReadablePreferences, Sendable {
  /// The layers that are not empty, in search order.
  let layers: [PreferencesLayer]
  /// The values of each layer.
  let values: [CapturedValues]
  /// Environment variables do not change, but they are looked up one by one.
  let environment: EnvironmentDomain?

  /// The value of a key in the first layer that has one.
  public func plistValue(forKey key: String) -> PlistValue? {
    if environment != nil { return origins(forKey: key).first?.value }
    for captured in values { if let value = captured.value(forKey: key) { return value } }
    return nil
  }

  /// The layers that have a value for a key, in search order. The first one supplies the value.
  public func origins(forKey key: String) -> [PreferencesOrigin] {
    var origins = zip(layers, values).compactMap { layer, captured in
      captured.value(forKey: key).map { value in
        PreferencesOrigin(
          layer: layer.supplying(key, variable: environment?.variable(forKey: key)), value: value)
      }
    }
    guard let environment else { return origins }
    origins.removeAll { $0.layer.kind == .environment }
    if let value = environment.value(forKey: key) {
      let layer = PreferencesLayer(kind: .environment, domain: DomainName.environment, path: nil)
      let place = origins.firstIndex { $0.layer.kind > .environment } ?? origins.endIndex
      let origin = PreferencesOrigin(
        layer: layer.supplying(key, variable: environment.variable(forKey: key)), value: value)
      origins.insert(origin, at: place)
    }
    return origins
  }

  /// The effective values, sorted by key: for each key, what ``plistValue(forKey:)`` returns.
  public var plistRepresentation: PlistDictionary {
    var all = PlistDictionary()
    for key in Set(values.flatMap(\.keys).map(ByteKey.init)).map(\.text).sorted() {
      all[key] = plistValue(forKey: key)
    }
    return all
  }
}
