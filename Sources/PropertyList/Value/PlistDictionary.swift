/// An ordered dictionary of property list values, with keys compared by their bytes.
///
/// The order is the document's. Composed and decomposed forms of a letter are different keys. A
/// lookup takes a few comparisons in a small dictionary, a binary search while the keys are
/// ascending, and one probe of a hash index otherwise. The index is built by mutations, never by
/// lookups. Copies share the list of keys until it changes.
public struct PlistDictionary: Sendable {
  /// A key and its value.
  public typealias Element = (key: String, value: PlistValue)

  /// The keys.
  private(set) var shape: DictionaryShape
  /// The values, in the order of the keys.
  private(set) var contents: [PlistValue]

  /// Creates an empty dictionary.
  public init() {
    shape = .empty
    contents = []
  }

  /// Creates a dictionary of the entries in the given order; a repeated key keeps its first
  /// position and its last value.
  public init(_ elements: some Sequence<(String, PlistValue)>) {
    self.init()
    reserveCapacity(elements.underestimatedCount)
    for (key, value) in elements { updateValue(value, forKey: key) }
  }

  /// Creates a dictionary from keys that other dictionaries may share, and their values.
  init(_ shape: DictionaryShape, _ contents: [PlistValue]) {
    precondition(shape.keys.count == contents.count, "each key has one value")
    (self.shape, self.contents) = (shape, contents)
  }

  /// Reserves space for a number of entries.
  public mutating func reserveCapacity(_ capacity: Int) {
    contents.reserveCapacity(capacity)
    if isKnownUniquelyReferenced(&shape) {
      shape.reserveCapacity(capacity)
    } else if capacity > 0 {
      shape = shape.copy(capacity: capacity)
    }
  }

  /// Releases the space reserved for more entries.
  package mutating func trimCapacity() {
    if contents.capacity > contents.count { contents = contents.map(\.self) }
    if shape.capacity > contents.count, isKnownUniquelyReferenced(&shape) {
      shape = shape.copy(capacity: contents.count)
    }
  }

  /// Accesses the value of a key. Setting nil removes the entry; a new key is appended.
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

  /// Sets the value of a key, appending a new one, and returns the old value.
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

  @inline(__always)
  private mutating func append(_ key: String, _ value: PlistValue, _ orders: String.Orders) {
    makeShapeUnique()
    shape.append(key, orders)
    contents.append(value)
  }

  /// Removes a key and returns its value; the other entries keep their order.
  @discardableResult
  public mutating func removeValue(forKey key: String) -> PlistValue? {
    guard let position = shape.position(of: key) else { return nil }
    makeShapeUnique()
    shape.remove(at: position)
    return contents.remove(at: position)
  }

  /// Copies the shape if it is shared, before a mutation.
  @inline(__always)
  private mutating func makeShapeUnique() {
    if !isKnownUniquelyReferenced(&shape) { shape = shape.copy(capacity: contents.count + 1) }
  }

  /// The keys in order.
  public var keys: some RandomAccessCollection<String> { shape.keys }

  /// The values in the order of the keys.
  public var values: some RandomAccessCollection<PlistValue> { contents }

  @inline(__always)
  func key(at position: Int) -> String { shape.keys[position] }

  @inline(__always)
  func value(at position: Int) -> PlistValue { contents[position] }

  /// Returns the positions of the entries sorted by the UTF-16 code units of their keys; nil if
  /// they are sorted already.
  func sortedPositions() -> [Int]? { shape.sortedPositions() }

  /// Sorts the entries by the UTF-16 code units of their keys, the order of writers.
  package mutating func sortKeys() {
    guard let positions = sortedPositions() else { return }
    self = PlistDictionary(positions.map { (key(at: $0), contents[$0]) })
  }

  package var sortedKeys: [String] { sortedPositions()?.map { key(at: $0) } ?? shape.keys }

  package func sortedKeys(with other: PlistDictionary) -> [String] {
    PlistDictionary((shape.keys + other.shape.keys).map { ($0, .null) }).sortedKeys
  }
}

extension PlistDictionary {
  /// The UID that the dictionary represents: XML has no element for UIDs, and Apple's writers write
  /// `{CF$UID = n}` instead.
  var uid: UInt32? {
    guard count == 1 else { return nil }
    switch self["CF$UID"] {
    case .integer(let number)?: return UInt32(exactly: number)
    case .unsignedInteger(let number)?: return UInt32(exactly: number)
    default: return nil
    }
  }
}

extension PlistDictionary: RandomAccessCollection {
  /// The position of the first entry.
  public var startIndex: Int { 0 }
  /// The position after the last entry.
  public var endIndex: Int { contents.count }
  /// Accesses the entry at a position.
  public subscript(position: Int) -> Element { (key(at: position), contents[position]) }
}

extension PlistDictionary: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary of the entries in the literal's order; a repeated key keeps its first
  /// position and its last value.
  public init(dictionaryLiteral elements: (String, PlistValue)...) { self.init(elements) }
}
