internal import FoundationEssentials

final class ValueDecoder {
  let session: DecodingSession
  /// The value; nil for the missing entry of a dictionary, which optional types decode as nil.
  let input: DecodingInput?
  let path: CodingPath
  /// The number of containers around the value.
  let depth: Int
  // No call that is made while one of these changes reenters this decoder.
  /// The key lookup of a dictionary, once a keyed container has been requested.
  @exclusivity(unchecked) private var lookup: KeyLookup?
  @exclusivity(unchecked) private var cursor = KeyLookup.Cursor()
  private let elements: DecodingElements

  init(session: DecodingSession, input: DecodingInput?, path: CodingPath, depth: Int) {
    (self.session, self.input, self.path, self.depth) = (session, input, path, depth)
    elements =
      switch input {
      case .value(.dictionary(let dictionary)): .values(dictionary.contents)
      case .value(.array(let elements)), .value(.set(let elements)): .values(elements)
      case .encoded(let container): container.elements
      default: .values([])
      }
  }

  /// The value, null if there is none, or an empty container instead of an encoded one.
  var shallowValue: PlistValue { input?.shallowValue ?? .null }

  var codingPath: [any CodingKey] { path.keys }

  func decode<T: Decodable>(as type: T.Type) throws -> T {
    if PlistValue.hasNativeDecoding(type) {
      let value = shallowValue
      if value.isDecodedNatively(as: type) { return try value.decodedNatively(as: type, at: path) }
    }
    return try decodeByInitializer(type)
  }

  private func decodeByInitializer<T: Decodable>(_ type: T.Type) throws -> T {
    try session.enter(at: path)
    defer { session.leave() }
    return try T(from: self)
  }

  /// Returns the keys in order, without those that a key type does not have.
  func keys<Key: CodingKey>(as type: Key.Type) -> [Key] {
    guard let all = lookup?.keys else { return [] }
    var keys: [Key] = []
    keys.reserveCapacity(all.count)
    for key in all {
      if let key = Key(stringValue: key) { keys.append(key) }
    }
    return keys
  }

  @inline(__always)
  func index(of key: String) -> Int? { lookup?.index(of: key, advancing: &cursor) }

  /// Returns the value at an index, or an empty container instead of an encoded one.
  @inline(__always)
  func shallowValue(at index: Int) -> PlistValue { elements.shallowValue(at: index) }

  /// Decodes an entry as a type; the index is nil if the key has no value.
  func decodeEntry<T: Decodable>(
    _ type: T.Type, at index: Int?, forKey key: some CodingKey
  ) throws -> T {
    if let index, PlistValue.hasNativeDecoding(type) {
      let value = shallowValue(at: index)
      if value.isDecodedNatively(as: type) {
        return try value.decodedNatively(as: type, at: .key(key, after: path))
      }
    }
    return try entryDecoder(at: index, forKey: key).decodeByInitializer(type)
  }

  /// Returns the decoder of an entry; the index is nil if the key has no value.
  func entryDecoder(at index: Int?, forKey key: some CodingKey) -> ValueDecoder {
    ValueDecoder(
      session: session, input: index.map { elements.input(at: $0) },
      path: .key(key, after: path), depth: depth + 1)
  }

  var count: Int? {
    switch input {
    case .value(.array(let elements)), .value(.set(let elements)): elements.count
    case .encoded(let container) where container.kind != .dictionary: container.count
    default: nil
    }
  }

  func decodeElement<T: Decodable>(_ type: T.Type, at index: Int) throws -> T {
    if PlistValue.hasNativeDecoding(type) {
      let value = shallowValue(at: index)
      if value.isDecodedNatively(as: type) {
        return try value.decodedNatively(as: type, at: .index(index, after: path))
      }
    }
    return try elementDecoder(at: index).decodeByInitializer(type)
  }

  func elementDecoder(at index: Int) -> ValueDecoder {
    ValueDecoder(
      session: session, input: elements.input(at: index), path: .index(index, after: path),
      depth: depth + 1)
  }
}

extension ValueDecoder: Decoder {
  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try openDictionary()
    return KeyedDecodingContainer(PlistKeyedDecodingContainer(decoder: self))
  }

  private func openDictionary() throws(DecodingError) {
    switch input {
    case .value(.dictionary(let dictionary)):
      try session.checkContainer(of: dictionary.count, atDepth: depth, path)
      if lookup == nil { lookup = session.keyLookup(for: dictionary.shape) }
    case .encoded(let container) where container.kind == .dictionary:
      try session.checkContainer(of: container.count, atDepth: depth, path)
      if lookup == nil { lookup = container.keyLookup() }
    default:
      throw DecodingError.mismatch(
        [String: Any].self, expected: .dictionary, found: shallowValue, at: path)
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let count else {
      throw DecodingError.mismatch([Any].self, expected: .array, found: shallowValue, at: path)
    }
    try session.checkContainer(of: count, atDepth: depth, path)
    return PlistUnkeyedDecodingContainer(decoder: self, total: count)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { session.isNil(shallowValue) }
  func decode(_ type: Bool.Type) throws -> Bool { try shallowValue.boolean(at: path) }
  func decode(_ type: String.Type) throws -> String { try shallowValue.text(at: path) }
  func decode(_ type: Double.Type) throws -> Double { try shallowValue.double(at: path) }
  func decode(_ type: Float.Type) throws -> Float { try shallowValue.float(at: path) }
  func decode(_ type: Int128.Type) throws -> Int128 { try shallowValue.number(type, at: path) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try shallowValue.number(type, at: path) }
  func decode(_ type: Int.Type) throws -> Int { try shallowValue.number(type, at: path) }

  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
    try shallowValue.number(type, at: path)
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decode(as: type) }
}
