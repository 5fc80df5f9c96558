internal import PropertyList

/// The layers of a store that are not empty at one moment, with their values, in search order.
struct CapturedLayers: Sendable {
  /// The layers.
  let layers: [PreferencesLayer]
  /// The values of each of them.
  let values: [CapturedValues]
  /// The variables of the environment, which do not change, but are looked up one by one.
  let environment: EnvironmentDomain?

  /// The value of a key in the first layer that has one.
  func value(forKey key: String) -> PlistValue? {
    if environment != nil { return origins(forKey: key).first?.value }
    for captured in values {
      if let value = captured.value(forKey: key) { return value }
    }
    return nil
  }

  /// The layers that have a value for a key, in search order.
  func origins(forKey key: String) -> [PreferencesOrigin] {
    var origins = zip(layers, values).compactMap { layer, captured in
      captured.value(forKey: key).map { PreferencesOrigin(layer: layer, value: $0) }
    }
    guard let environment else { return origins }
    origins.removeAll { $0.layer.kind == .environment }
    if let value = environment.value(forKey: key) {
      let layer = PreferencesLayer(kind: .environment, domain: DomainName.environment, path: nil)
      let place = origins.firstIndex { $0.layer.kind > .environment } ?? origins.endIndex
      origins.insert(PreferencesOrigin(layer: layer, value: value), at: place)
    }
    return origins
  }

  /// The values of all layers, sorted by key.
  var all: PlistDictionary {
    var all = PlistDictionary()
    for key in Set(values.flatMap(\.keys).map(ByteKey.init)).map(\.text).sorted() {
      all[key] = value(forKey: key)
    }
    return all
  }
}
