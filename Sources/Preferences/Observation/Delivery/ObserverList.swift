internal import PropertyList

/// The observers of a search list by the keys they observe, in order of registration.
struct ObserverList {
  private var byKey: [ByteKey: NumberedList<Entry>] = [:]
  private var ofAllKeys = NumberedList<Entry>()
  /// The number of the latest registration.
  private var lastNumber = 0

  enum Entry {
    /// An observer of single keys.
    case single(Observer)
    /// An observer of a group of keys.
    case group(GroupObserver, keys: [String])
  }

  var isEmpty: Bool { byKey.isEmpty && ofAllKeys.isEmpty }

  /// Adds an observer of keys, nil for all keys.
  ///
  /// - Returns: The number of the registration.
  mutating func add(_ entry: Entry, keys: [String]?) -> Int {
    lastNumber += 1
    if keys == nil { ofAllKeys.append(entry, number: lastNumber) }
    for key in keys ?? [] {
      byKey[ByteKey(key), default: NumberedList()].append(entry, number: lastNumber)
    }
    return lastNumber
  }

  /// Removes an observer of keys, nil for all keys.
  ///
  /// - Parameter number: The number of its registration.
  mutating func remove(_ number: Int, keys: [String]?) {
    guard let keys else { return ofAllKeys.remove(number) }
    for key in keys {
      byKey[ByteKey(key)]?.remove(number)
      if byKey[ByteKey(key)]?.isEmpty == true { byKey[ByteKey(key)] = nil }
    }
  }

  /// The keys that have observers, each once and in order.
  func observed(among keys: some Collection<String>) -> [String] {
    let observed = ofAllKeys.isEmpty ? keys.filter { byKey[ByteKey($0)] != nil } : Array(keys)
    return observed.count < 2 ? observed : observed.uniqueByBytes
  }

  /// Calls the closure with each observer of a key.
  func forEach(of key: String, _ body: (Entry) -> Void) {
    byKey[ByteKey(key)]?.forEach(body)
    ofAllKeys.forEach(body)
  }
}

/// Elements in the order in which they were added. They can be removed by number.
///
/// Adding takes amortized constant time, and removing amortized logarithmic time.
struct NumberedList<Element> {
  /// Removed elements are nil.
  private var places: [(number: Int, element: Element?)] = []
  private var removedCount = 0

  var isEmpty: Bool { places.isEmpty }

  /// Calls a closure with each element, in order.
  func forEach(_ body: (Element) -> Void) {
    for place in places { if let element = place.element { body(element) } }
  }

  /// Adds an element. Its number must be greater than all numbers before.
  mutating func append(_ element: Element, number: Int) { places.append((number, element)) }

  mutating func remove(_ number: Int) {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].number < number { low = middle + 1 } else { high = middle }
    }
    guard low < places.count, places[low].number == number,
      exchange(&places[low].element, with: nil) != nil
    else { return }
    removedCount += 1
    if removedCount > places.count / 2 {
      places.removeAll { $0.element == nil }
      removedCount = 0
    }
  }
}
