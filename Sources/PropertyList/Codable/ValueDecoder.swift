internal import FoundationEssentials

/// Gives one value to the type that it is decoded as.
final class ValueDecoder {
  let session: DecodingSession
  /// The value; nil where a dictionary has no entry, which types that take nil decode as nil.
  let found: DecodedNode?
  let path: CodingPath
  /// The number of containers around the value.
  let depth: Int
  /// The keys of a dictionary, with its values or, where it is stored, with their indices.
  private let entries: PlistDictionary
  /// What the entries are of, where it is stored.
  private let container: BinaryContainer?
  /// Where among the keys the next one is expected: types mostly ask in the order of the document.
  private var nextEntry = 0

  /// How many keys are looked at before one is sought among all.
  private static let nearby = 4

  init(session: DecodingSession, found: DecodedNode?, path: CodingPath, depth: Int) {
    self.session = session
    self.found = found
    self.path = path
    self.depth = depth
    switch found {
    case .value(.dictionary(let dictionary)):
      entries = dictionary
      container = nil
    case .stored(let container):
      entries = container.kind == .dictionary ? container.keys : PlistDictionary()
      self.container = container
    default:
      entries = PlistDictionary()
      container = nil
    }
  }

  /// The value, null where there is none; of a container that is stored only the kind.
  var shallow: PlistValue { found?.shallow ?? .null }

  var codingPath: [any CodingKey] { path.keys }

  /// The value as a type.
  func decode<T: Decodable>(as type: T.Type) throws -> T {
    let value = shallow
    return value.isNative(type) ? try value.native(type, at: path) : try decodeItself(type)
  }

  /// The value as a type that decodes itself.
  private func decodeItself<T: Decodable>(_ type: T.Type) throws -> T {
    try session.enter(at: path)
    defer { session.leave() }
    return try T(from: self)
  }

  // MARK: Dictionaries

  /// The keys in order, as keys of a type that has not all of them.
  func keys<Key: CodingKey>(as type: Key.Type) -> [Key] {
    var keys: [Key] = []
    keys.reserveCapacity(entries.count)
    for position in 0..<entries.count {
      if let key = Key(stringValue: entries.key(at: position)) { keys.append(key) }
    }
    return keys
  }

  /// Whether a key has a value.
  func contains(_ key: String) -> Bool { stored(key) != nil }

  /// The value of a key.
  func value(_ key: String) -> DecodedNode? {
    guard let stored = stored(key) else { return nil }
    if let container, case .integer(let index) = stored {
      return container.element(at: Int(index))
    }
    return .value(stored)
  }

  /// The value of a key; of a container that is stored only the kind.
  @inline(__always)
  func shallow(_ key: String) -> PlistValue? {
    guard let stored = stored(key) else { return nil }
    if let container, case .integer(let index) = stored {
      return container.shallow(at: Int(index))
    }
    return stored
  }

  /// What the entries have for a key.
  @inline(__always)
  private func stored(_ key: String) -> PlistValue? {
    let first = nextEntry
    let end = min(first + Self.nearby, entries.count)
    var position = first
    while position < end {
      if Self.areSame(entries.key(at: position), key) {
        nextEntry = position + 1
        return entries.value(at: position)
      }
      position += 1
    }
    return entries[key]
  }

  /// Whether two keys have the same bytes.
  @inline(__always)
  private static func areSame(_ one: String, _ other: String) -> Bool {
    // Strings of equal words are the same short text, or share their storage.
    let (words, otherWords) = (
      unsafeBitCast(one, to: SIMD2<UInt64>.self), unsafeBitCast(other, to: SIMD2<UInt64>.self)
    )
    return words == otherWords || one.hasSameBytes(as: other)
  }

  /// An entry as a type.
  func entry<T: Decodable>(
    _ type: T.Type, _ found: DecodedNode?, forKey key: some CodingKey
  ) throws -> T {
    if let value = found?.shallow, value.isNative(type) {
      return try value.native(type, at: .key(key, after: path))
    }
    return try entry(found, forKey: key).decodeItself(type)
  }

  /// The decoder of an entry.
  func entry(_ found: DecodedNode?, forKey key: some CodingKey) -> ValueDecoder {
    ValueDecoder(
      session: session, found: found, path: .key(key, after: path), depth: depth + 1)
  }

  // MARK: Arrays

  /// The number of elements; nil where the value is no array and no set.
  var count: Int? {
    switch found {
    case .value(.array(let elements)), .value(.set(let elements)): elements.count
    case .stored(let container) where container.kind != .dictionary: container.count
    default: nil
    }
  }

  /// An element.
  func element(at index: Int) -> DecodedNode {
    switch found {
    case .value(.array(let elements)), .value(.set(let elements)): .value(elements[index])
    case .stored(let container): container.element(at: index)
    default: preconditionFailure("an element of a value that has none")
    }
  }

  /// An element as a type.
  func element<T: Decodable>(_ type: T.Type, _ found: DecodedNode, at index: Int) throws -> T {
    let value = found.shallow
    if value.isNative(type) { return try value.native(type, at: .index(index, after: path)) }
    return try element(found, at: index).decodeItself(type)
  }

  /// The decoder of an element.
  func element(_ found: DecodedNode, at index: Int) -> ValueDecoder {
    ValueDecoder(
      session: session, found: found, path: .index(index, after: path), depth: depth + 1)
  }
}

extension ValueDecoder: Decoder {
  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try openDictionary()
    return KeyedDecodingContainer(PlistKeyedDecodingContainer(decoder: self))
  }

  private func openDictionary() throws(DecodingError) {
    guard found?.kind == .dictionary else {
      throw DecodingError.mismatch(
        [String: Any].self, expected: .dictionary, found: shallow, at: path)
    }
    try session.open(within: depth, at: path)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let count else {
      throw DecodingError.mismatch([Any].self, expected: .array, found: shallow, at: path)
    }
    try session.open(within: depth, at: path)
    return PlistUnkeyedDecodingContainer(decoder: self, total: count)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { session.isNil(shallow) }

  func decode(_ type: Bool.Type) throws -> Bool { try shallow.boolean(at: path) }

  func decode(_ type: String.Type) throws -> String { try shallow.text(at: path) }

  func decode(_ type: Double.Type) throws -> Double { try shallow.double(at: path) }

  func decode(_ type: Float.Type) throws -> Float { try shallow.float(at: path) }

  func decode(_ type: Int128.Type) throws -> Int128 { try shallow.number(type, at: path) }

  func decode(_ type: UInt128.Type) throws -> UInt128 { try shallow.number(type, at: path) }

  func decode(_ type: Int.Type) throws -> Int { try shallow.number(type, at: path) }

  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
    try shallow.number(type, at: path)
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decode(as: type) }
}
