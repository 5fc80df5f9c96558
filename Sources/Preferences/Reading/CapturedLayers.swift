internal import PropertyList

/// A store's layers that are not empty at one moment, with their values, in search order.
struct CapturedLayers: Sendable {
  let layers: [PreferencesLayer]
  let values: [CapturedValues]
  /// Environment variables do not change, but are looked up one by one.
  let environment: EnvironmentDomain?

  func value(forKey key: String) -> PlistValue? {
    if environment != nil { return origins(forKey: key).first?.value }
    for captured in values { if let value = captured.value(forKey: key) { return value } }
    return nil
  }

  func origins(forKey key: String) -> [PreferencesOrigin] {
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

  /// The effective values, sorted by key.
  var all: PlistDictionary {
    var all = PlistDictionary()
    for key in Set(values.flatMap(\.keys).map(ByteKey.init)).map(\.text).sorted() {
      all[key] = value(forKey: key)
    }
    return all
  }
}
