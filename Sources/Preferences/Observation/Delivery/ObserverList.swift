internal import PropertyList

/// The observers of a search list by the keys they observe, each kind in order of registration.
struct ObserverList {
  private var byKey: [ByteKey: [Observer]] = [:]
  private var ofAllKeys: [Observer] = []
  private var groupsByKey: [ByteKey: [Group]] = [:]

  /// Keys that are observed together.
  struct Group {
    var observer: GroupObserver
    var keys: [String]
  }

  var isEmpty: Bool { byKey.isEmpty && ofAllKeys.isEmpty && groupsByKey.isEmpty }

  /// Whether any group of keys is observed.
  var hasGroups: Bool { !groupsByKey.isEmpty }

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

  /// Adds an observer of a group of keys.
  mutating func add(_ group: Group) {
    for key in group.keys { groupsByKey[ByteKey(key), default: []].append(group) }
  }

  /// Removes an observer of a group of keys.
  mutating func remove(_ group: Group) {
    for key in group.keys {
      groupsByKey[ByteKey(key)]?.removeAll { $0.observer === group.observer }
      if groupsByKey[ByteKey(key)]?.isEmpty == true { groupsByKey[ByteKey(key)] = nil }
    }
  }

  /// The keys among these that have observers, each once and in order.
  func observed(among keys: some Collection<String>) -> [String] {
    let observed =
      ofAllKeys.isEmpty
      ? keys.filter { byKey[ByteKey($0)] != nil || groupsByKey[ByteKey($0)] != nil } : Array(keys)
    return observed.count < 2 ? observed : observed.uniqueByBytes
  }

  /// Calls the closure with each observer of a key.
  func forEach(of key: String, _ body: (Observer) -> Void) {
    byKey[ByteKey(key)]?.forEach(body)
    ofAllKeys.forEach(body)
  }

  /// The groups with any of the keys, each once.
  func groups(withAnyOf keys: some Sequence<String>) -> [Group] {
    if groupsByKey.isEmpty { return [] }
    var seen: Set<ObjectIdentifier> = []
    return keys.flatMap { groupsByKey[ByteKey($0)] ?? [] }
      .filter { seen.insert(ObjectIdentifier($0.observer)).inserted }
  }
}
