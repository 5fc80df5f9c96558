internal import PropertyList

/// What the layers of a store that are not empty hold at one moment, in search order.
struct CapturedLayers: Sendable {
  /// The layers.
  let layers: [PreferencesLayer]
  /// The values of each of them.
  let values: [CapturedValues]

  /// The value of a key in the first layer that has one.
  func value(forKey key: String) -> PlistValue? {
    for captured in values {
      if let value = captured.value(forKey: key) { return value }
    }
    return nil
  }

  /// The layers that have a value for a key, in search order.
  func origins(forKey key: String) -> [PreferencesOrigin] {
    zip(layers, values).compactMap { layer, captured in
      captured.value(forKey: key).map { PreferencesOrigin(layer: layer, value: $0) }
    }
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
