/// A dictionary that is being decoded. A key without an entry is as good as nil, which leaves none.
struct PlistKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ValueDecoder
  let dictionary: PlistDictionary

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] { dictionary.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { dictionary[key.stringValue] != nil }

  private func path(_ key: Key) -> CodingPath { .key(key, after: decoder.path) }

  private func value(_ key: Key) throws(DecodingError) -> PlistValue {
    guard let value = dictionary[key.stringValue] else { throw .noKey(key, in: decoder.path) }
    return value
  }

  func decodeNil(forKey key: Key) -> Bool {
    dictionary[key.stringValue].map(decoder.session.isNil) ?? true
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

  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try value(key).number(type, at: path(key))
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let found = dictionary[key.stringValue]
    let entry = decoder.entry(found, forKey: key)
    if found != nil { return try entry.decode(as: type) }
    // An optional and whatever wraps one have left no entry for nil.
    guard let absent = try? entry.decode(as: type) else {
      throw DecodingError.noKey(key, in: decoder.path)
    }
    return absent
  }

  func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder.entry(value(key), forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.entry(value(key), forKey: key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder {
    let key = PlistCodingKey.superclass
    return decoder.entry(dictionary[key.stringValue], forKey: key)
  }

  func superDecoder(forKey key: Key) -> any Decoder {
    decoder.entry(dictionary[key.stringValue], forKey: key)
  }
}
