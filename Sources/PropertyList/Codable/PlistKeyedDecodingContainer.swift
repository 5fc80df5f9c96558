/// A dictionary that is being decoded. A key without an entry is as good as nil, which leaves none.
struct PlistKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ValueDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] { decoder.keys(as: Key.self) }

  func contains(_ key: Key) -> Bool { decoder.contains(key.stringValue) }

  private func path(_ key: Key) -> CodingPath { .key(key, after: decoder.path) }

  private func node(_ key: Key) throws(DecodingError) -> DecodedNode {
    guard let node = decoder.value(key.stringValue) else { throw .noKey(key, in: decoder.path) }
    return node
  }

  /// The value of a key; of a container that is stored only the kind.
  private func value(_ key: Key) throws(DecodingError) -> PlistValue {
    guard let value = decoder.shallow(key.stringValue) else { throw .noKey(key, in: decoder.path) }
    return value
  }

  /// The value of a key; nil where there is none, and where it stands for nil.
  private func valueIfPresent(_ key: Key) -> PlistValue? {
    guard let value = decoder.shallow(key.stringValue), !decoder.session.isNil(value) else {
      return nil
    }
    return value
  }

  func decodeNil(forKey key: Key) -> Bool {
    valueIfPresent(key) == nil
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try value(key).boolean(at: path(key))
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try value(key).text(at: path(key))
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try value(key).double(at: path(key))
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try value(key).float(at: path(key))
  }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try value(key).number(type, at: path(key))
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try value(key).number(type, at: path(key))
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try value(key).number(type, at: path(key))
  }

  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try value(key).number(type, at: path(key))
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if let found = decoder.value(key.stringValue) {
      return try decoder.entry(type, found, forKey: key)
    }
    // An optional and whatever wraps one have left no entry for nil.
    guard let absent = try? decoder.entry(type, nil, forKey: key) else {
      throw DecodingError.noKey(key, in: decoder.path)
    }
    return absent
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try valueIfPresent(key)?.boolean(at: path(key))
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try valueIfPresent(key)?.text(at: path(key))
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try valueIfPresent(key)?.double(at: path(key))
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try valueIfPresent(key)?.number(type, at: path(key))
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let found = decoder.value(key.stringValue), !decoder.session.isNil(found.shallow) else {
      return nil
    }
    return try decoder.entry(type, found, forKey: key)
  }

  func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder.entry(node(key), forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.entry(node(key), forKey: key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder {
    let key = PlistCodingKey.superclass
    return decoder.entry(decoder.value(key.stringValue), forKey: key)
  }

  func superDecoder(forKey key: Key) -> any Decoder {
    decoder.entry(decoder.value(key.stringValue), forKey: key)
  }
}
