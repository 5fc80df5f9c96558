internal import PropertyList

/// The observers of a search list by the keys they observe, each kind in order of registration.
struct ObserverList {
  private var byKey: [ByteKey: NumberedList<Observer>] = [:]
  private var ofAllKeys = NumberedList<Observer>()
  private var groupsByKey: [ByteKey: NumberedList<Group>] = [:]
  /// The number of the latest registration.
  private var lastNumber = 0

  /// Keys that are observed together.
  struct Group {
    var observer: GroupObserver
    var keys: [String]
  }

  var isEmpty: Bool { byKey.isEmpty && ofAllKeys.isEmpty && groupsByKey.isEmpty }

  /// Whether any group of keys is observed.
  var hasGroups: Bool { !groupsByKey.isEmpty }

  /// Adds an observer of keys, nil for all keys.
  ///
  /// - Returns: The number of the registration.
  mutating func add(_ observer: Observer, keys: [String]?) -> Int {
    lastNumber += 1
    if let keys {
      Self.add(observer, lastNumber, to: &byKey, keys)
    } else {
      ofAllKeys.append(observer, number: lastNumber)
    }
    return lastNumber
  }

  /// Adds an observer of a group of keys.
  ///
  /// - Returns: The number of the registration.
  mutating func add(_ group: Group) -> Int {
    lastNumber += 1
    Self.add(group, lastNumber, to: &groupsByKey, group.keys)
    return lastNumber
  }

  /// Removes an observer of keys or of a group of them, nil for all keys.
  ///
  /// - Parameter number: The number of its registration.
  mutating func remove(_ number: Int, keys: [String]?) {
    guard let keys else { return ofAllKeys.remove(number) }
    Self.remove(number, from: &byKey, keys)
    Self.remove(number, from: &groupsByKey, keys)
  }

  private static func add<Element>(
    _ element: Element, _ number: Int, to lists: inout [ByteKey: NumberedList<Element>],
    _ keys: [String]
  ) {
    for key in keys {
      lists[ByteKey(key), default: NumberedList()].append(element, number: number)
    }
  }

  private static func remove<Element>(
    _ number: Int, from lists: inout [ByteKey: NumberedList<Element>], _ keys: [String]
  ) {
    for key in keys {
      lists[ByteKey(key)]?.remove(number)
      if lists[ByteKey(key)]?.isEmpty == true { lists[ByteKey(key)] = nil }
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
    return keys.flatMap { groupsByKey[ByteKey($0)]?.elements ?? [] }
      .filter { seen.insert(ObjectIdentifier($0.observer)).inserted }
  }
}
