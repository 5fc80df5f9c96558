/// A dictionary that is being decoded. A key without an entry is as good as nil, which leaves none.
struct PlistKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ValueDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] { decoder.keys(as: Key.self) }

  func contains(_ key: Key) -> Bool { index(key) != nil }

  private func path(_ key: Key) -> CodingPath { .key(key, after: decoder.path) }

  /// The index of a key's value; nil where there is none.
  @inline(__always)
  private func index(_ key: Key) -> Int? { decoder.index(of: key.stringValue) }

  /// The decoder of a key that has a value.
  private func present(_ key: Key) throws(DecodingError) -> ValueDecoder {
    guard let index = index(key) else { throw .noKey(key, in: decoder.path) }
    return decoder.entry(at: index, forKey: key)
  }

  /// The value of a key; of a container that is stored only the kind.
  @inline(__always)
  private func value(_ key: Key) throws(DecodingError) -> PlistValue {
    guard let index = index(key) else { throw .noKey(key, in: decoder.path) }
    return decoder.shallow(at: index)
  }

  /// The value of a key; nil where there is none, and where it stands for nil.
  @inline(__always)
  private func valueIfPresent(_ key: Key) -> PlistValue? {
    guard let index = index(key) else { return nil }
    let value = decoder.shallow(at: index)
    return decoder.session.isNil(value) ? nil : value
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
    guard let index = index(key) else { return try absent(type, key) }
    return try decoder.entry(type, at: index, forKey: key)
  }

  /// What a type makes of nothing: an optional and whatever wraps one have left no entry for nil.
  @inline(never)  // The metadata of the optional is not asked for where there is a value.
  private func absent<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
    guard let absent = try? decoder.entry(type, at: nil, forKey: key) else {
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
    guard let index = index(key), !decoder.session.isNil(decoder.shallow(at: index)) else {
      return nil
    }
    return try decoder.entry(type, at: index, forKey: key)
  }

  func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try present(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try present(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder {
    let key = PlistCodingKey.superclass
    return decoder.entry(at: decoder.index(of: key.stringValue), forKey: key)
  }

  func superDecoder(forKey key: Key) -> any Decoder {
    decoder.entry(at: index(key), forKey: key)
  }
}
