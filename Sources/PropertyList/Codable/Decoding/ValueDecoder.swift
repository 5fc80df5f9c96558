internal import FoundationEssentials

final class ValueDecoder {
  let session: DecodingSession
  /// The value; nil for the missing entry of a dictionary, which optional types decode as nil.
  let value: PlistValue?
  let path: CodingPath
  /// The number of containers around the value.
  let depth: Int
  // No call that is made while one of these properties changes reenters this decoder. With checks
  // here, in KeyLookup and in DictionaryShape, decoding the binary of `make counts` takes 14 % more
  // instructions.
  /// The key lookup of a dictionary, once a keyed container has been requested.
  @exclusivity(unchecked) private var lookup: KeyLookup?
  @exclusivity(unchecked) private var cursor = KeyLookup.Cursor()
  /// The values in a container; empty for another value.
  let elements: [PlistValue]

  init(session: DecodingSession, value: PlistValue?, path: CodingPath, depth: Int) {
    (self.session, self.value, self.path, self.depth) = (session, value, path, depth)
    elements =
      switch value {
      case .dictionary(let dictionary): dictionary.contents
      case .array(let elements), .set(let elements): elements
      default: []
      }
  }

  var presentValue: PlistValue { value ?? .null }

  var codingPath: [any CodingKey] { path.keys }

  func decode<T: Decodable>(as type: T.Type) throws -> T {
    if PlistValue.isNative(type), let value = try presentValue.native(as: type, at: path) {
      return value
    }
    return try decodeByInitializer(type)
  }

  private func decodeByInitializer<T: Decodable>(_ type: T.Type) throws -> T {
    try session.enter(at: path)
    defer { session.leave() }
    return try T(from: self)
  }

  /// Returns the keys in order, except keys that a key type does not have.
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

  func decodeEntry<T: Decodable>(
    _ type: T.Type, at index: Int?, forKey key: some CodingKey
  ) throws -> T {
    if PlistValue.isNative(type), let index,
      let value = try elements[index].native(as: type, at: .key(key, after: path))
    {
      return value
    }
    return try entryDecoder(at: index, forKey: key).decodeByInitializer(type)
  }

  /// Returns the decoder of an entry; the index is nil if the key has no value.
  func entryDecoder(at index: Int?, forKey key: some CodingKey) -> ValueDecoder {
    ValueDecoder(
      session: session, value: index.map { elements[$0] }, path: .key(key, after: path),
      depth: depth + 1)
  }

  func decodeElement<T: Decodable>(_ type: T.Type, at index: Int) throws -> T {
    if PlistValue.isNative(type),
      let value = try elements[index].native(as: type, at: .index(index, after: path))
    {
      return value
    }
    return try elementDecoder(at: index).decodeByInitializer(type)
  }

  func elementDecoder(at index: Int) -> ValueDecoder {
    ValueDecoder(
      session: session, value: elements[index], path: .index(index, after: path),
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
    guard case .dictionary(let dictionary)? = value else {
      throw DecodingError.mismatch(
        [String: Any].self, expected: .dictionary, found: presentValue, at: path)
    }
    try session.checkContainer(of: dictionary.count, atDepth: depth, path)
    if lookup == nil { lookup = session.keyLookup(for: dictionary.shape) }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard value?.kind == .array || value?.kind == .set else {
      throw DecodingError.mismatch([Any].self, expected: .array, found: presentValue, at: path)
    }
    try session.checkContainer(of: elements.count, atDepth: depth, path)
    return PlistUnkeyedDecodingContainer(decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { session.isNil(presentValue) }
  func decode(_ type: Bool.Type) throws -> Bool { try presentValue.boolean(at: path) }
  func decode(_ type: String.Type) throws -> String { try presentValue.text(at: path) }
  func decode(_ type: Double.Type) throws -> Double { try presentValue.double(at: path) }
  func decode(_ type: Float.Type) throws -> Float { try presentValue.float(at: path) }
  func decode(_ type: Int128.Type) throws -> Int128 { try presentValue.number(type, at: path) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try presentValue.number(type, at: path) }
  func decode(_ type: Int.Type) throws -> Int { try presentValue.number(type, at: path) }

  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
    try presentValue.number(type, at: path)
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decode(as: type) }
}
