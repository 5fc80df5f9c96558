internal import PropertyList

/// The observers of a store by what they observe, each group in the order in which they came.
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

  /// The keys among these that somebody observes, each once and in order.
  func observed(among keys: some Collection<String>) -> [String] {
    let observed = ofAllKeys.isEmpty ? keys.filter { byKey[ByteKey($0)] != nil } : Array(keys)
    if observed.count < 2 { return observed }
    var seen = Set<ByteKey>()
    return observed.filter { seen.insert(ByteKey($0)).inserted }
  }

  /// Calls the closure with each observer of a key.
  func forEach(of key: String, _ body: (Observer) -> Void) {
    byKey[ByteKey(key)]?.forEach(body)
    ofAllKeys.forEach(body)
  }
}

/// A key by its bytes, for dictionaries and sets: equal strings of other bytes are other keys.
package struct ByteKey: Hashable, Sendable {
  /// The key.
  package let text: String

  /// The key as it is told from others.
  package init(_ text: String) { self.text = text }

  package static func == (left: ByteKey, right: ByteKey) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
