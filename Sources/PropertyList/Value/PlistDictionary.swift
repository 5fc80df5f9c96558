/// The keyed values of a property list, in document order, with keys compared by their bytes.
///
/// Composed and decomposed forms of a letter are different keys. A look-up costs a handful of
/// comparisons in a small dictionary, a binary search while the keys ascend, and one probe of an
/// index otherwise; the index is made by the change that first needs it, never by a look-up, so
/// reading one dictionary from several threads is safe and never builds anything. Copies share the keys
/// as long as these stay the same.
public struct PlistDictionary: Sendable {
  /// One key and its value.
  public typealias Element = (key: String, value: PlistValue)

  /// The keys.
  private(set) var shape: DictionaryShape
  /// The values, in the order of the keys.
  private(set) var contents: [PlistValue]

  /// An empty dictionary.
  public init() {
    shape = .empty
    contents = []
  }

  /// The entries in the given order; a repeated key keeps its first place and its last value.
  public init(_ elements: some Sequence<(String, PlistValue)>) {
    self.init()
    reserveCapacity(elements.underestimatedCount)
    for (key, value) in elements { updateValue(value, forKey: key) }
  }

  /// The values of keys that other dictionaries may share, as many as there are keys.
  init(_ shape: DictionaryShape, _ contents: [PlistValue]) {
    precondition(shape.keys.count == contents.count, "each key has one value")
    self.shape = shape
    self.contents = contents
  }

  /// Makes room for that many entries.
  public mutating func reserveCapacity(_ capacity: Int) {
    contents.reserveCapacity(capacity)
    if isKnownUniquelyReferenced(&shape) {
      shape.reserveCapacity(capacity)
    } else if capacity > 0 {
      shape = shape.copy(capacity: capacity)
    }
  }

  /// The value of a key; setting nil removes the entry, a new key goes to the end.
  public subscript(key: String) -> PlistValue? {
    get { shape.position(of: key).map { contents[$0] } }
    set {
      if let newValue {
        updateValue(newValue, forKey: key)
      } else {
        removeValue(forKey: key)
      }
    }
  }

  /// Sets the value of a key, a new one at the end, and returns the value it had.
  @discardableResult
  public mutating func updateValue(_ value: PlistValue, forKey key: String) -> PlistValue? {
    let orders = shape.ascent(through: key)
    if !orders.contains(.bytes), let position = shape.position(of: key) {
      let old = contents[position]
      contents[position] = value
      return old
    }
    append(key, value, orders)
    return nil
  }

  /// Appends an entry whose key comes after all others by its bytes, and says whether it does so.
  @inline(__always)
  mutating func appendAscending(_ key: String, _ value: PlistValue) -> Bool {
    let orders = shape.ascent(through: key)
    guard orders.contains(.bytes) else { return false }
    append(key, value, orders)
    return true
  }

  @inline(__always)
  private mutating func append(_ key: String, _ value: PlistValue, _ orders: String.Orders) {
    makeShapeUnique()
    shape.append(key, orders)
    contents.append(value)
  }

  /// Removes a key with its value and returns the value; later entries keep their order.
  @discardableResult
  public mutating func removeValue(forKey key: String) -> PlistValue? {
    guard let position = shape.position(of: key) else { return nil }
    makeShapeUnique()
    shape.remove(at: position)
    return contents.remove(at: position)
  }

  /// Makes the shape one that may be changed.
  @inline(__always)
  private mutating func makeShapeUnique() {
    if !isKnownUniquelyReferenced(&shape) {
      shape = shape.copy(capacity: contents.count + 1)
    }
  }

  /// The keys in order.
  public var keys: some RandomAccessCollection<String> { shape.keys }

  /// The values in the keys' order.
  public var values: some RandomAccessCollection<PlistValue> { contents }

  /// The key of the entry at a position.
  @inline(__always)
  func key(at position: Int) -> String { shape.keys[position] }

  /// The value of the entry at a position.
  @inline(__always)
  func value(at position: Int) -> PlistValue { contents[position] }

  /// The positions of the entries in the order of their keys' UTF-16 code units; nil when the
  /// entries stand in that order already.
  func sortedPositions() -> [Int]? { shape.sortedPositions() }

  /// Puts the entries in the order of their keys' UTF-16 code units, in which they are written.
  package mutating func sortKeys() {
    guard let positions = sortedPositions() else { return }
    self = PlistDictionary(positions.map { (key(at: $0), contents[$0]) })
  }

  /// The keys in the order of their UTF-16 code units.
  package var sortedKeys: [String] {
    sortedPositions()?.map { key(at: $0) } ?? shape.keys
  }
}

extension PlistDictionary: RandomAccessCollection {
  /// The position of the first entry.
  public var startIndex: Int { 0 }
  /// The position after the last entry.
  public var endIndex: Int { contents.count }
  /// The entry at a position, in order.
  public subscript(position: Int) -> Element { (key(at: position), contents[position]) }
}

extension PlistDictionary: Hashable {
  /// Whether both hold equal values under the same keys, in any order.
  public static func == (left: PlistDictionary, right: PlistDictionary) -> Bool {
    if left.shape === right.shape { return left.contents == right.contents }
    guard left.count == right.count else { return false }
    for position in left.indices {
      let (key, value) = left[position]
      if right.key(at: position).hasSameBytes(as: key) {
        if right.contents[position] != value { return false }
      } else {
        guard let other = right[key], other == value else { return false }
      }
    }
    return true
  }

  /// Feeds every entry so that the order does not matter.
  public func hash(into hasher: inout Hasher) {
    var combined = 0
    for (key, value) in self {
      var entryHasher = hasher
      key.hashBytes(into: &entryHasher)
      entryHasher.combine(value)
      combined &+= entryHasher.finalize()
    }
    hasher.combine(count)
    hasher.combine(combined)
  }
}

extension PlistDictionary: ExpressibleByDictionaryLiteral {
  /// The entries in the literal's order; a repeated key keeps its first place and its last value.
  public init(dictionaryLiteral elements: (String, PlistValue)...) {
    self.init(elements)
  }
}
