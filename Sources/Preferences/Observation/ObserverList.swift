internal import PropertyList

/// The observers of a search list by the keys they observe, each group in order of registration.
struct ObserverList {
  private var byKey: [ByteKey: [Observer]] = [:]
  private var ofAllKeys: [Observer] = []

  var isEmpty: Bool { byKey.isEmpty && ofAllKeys.isEmpty }

  /// Adds an observer of keys, nil for all keys.
  mutating func add(_ observer: Observer, keys: [String]?) {
    guard let keys else { return ofAllKeys.append(observer) }
    for key in keys { byKey[ByteKey(key), default: []].append(observer) }
  }

  /// Removes an observer of keys, nil for all keys.
  mutating func remove(_ observer: Observer, keys: [String]?) {
    guard let keys else { return ofAllKeys.removeAll { $0 === observer } }
    for key in keys {
      byKey[ByteKey(key)]?.removeAll { $0 === observer }
      if byKey[ByteKey(key)]?.isEmpty == true { byKey[ByteKey(key)] = nil }
    }
  }

  /// The keys among these that have observers, each once and in order.
  func observed(among keys: some Collection<String>) -> [String] {
    let observed = ofAllKeys.isEmpty ? keys.filter { byKey[ByteKey($0)] != nil } : Array(keys)
    return observed.count < 2 ? observed : observed.uniqueByBytes
  }

  /// Calls the closure with each observer of a key.
  func forEach(of key: String, _ body: (Observer) -> Void) {
    byKey[ByteKey(key)]?.forEach(body)
    ofAllKeys.forEach(body)
  }
}
