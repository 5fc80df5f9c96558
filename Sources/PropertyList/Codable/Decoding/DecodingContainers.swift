/// A dictionary that is being decoded. A missing key is decoded as nil, because nil is encoded as
/// no entry.
struct PlistKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ValueDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { decoder.keys(as: Key.self) }
  func contains(_ key: Key) -> Bool { index(key) != nil }
  private func path(_ key: Key) -> CodingPath { .key(key, after: decoder.path) }

  @inline(__always)
  private func index(_ key: Key) -> Int? { decoder.index(of: key.stringValue) }

  private func existing(_ key: Key) throws(DecodingError) -> ValueDecoder {
    guard let index = index(key) else { throw .noKey(key, in: decoder.path) }
    return decoder.entryDecoder(at: index, forKey: key)
  }

  @inline(__always)
  private func value(_ key: Key) throws(DecodingError) -> PlistValue {
    guard let index = index(key) else { throw .noKey(key, in: decoder.path) }
    return decoder.elements[index]
  }

  /// Returns the value of a key, or nil if there is none or it is decoded as nil.
  @inline(__always)
  private func valueIfPresent(_ key: Key) -> PlistValue? {
    guard let index = index(key) else { return nil }
    let value = decoder.elements[index]
    return decoder.session.isNil(value) ? nil : value
  }

  func decodeNil(forKey key: Key) -> Bool { valueIfPresent(key) == nil }

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

  /// The methods for `Int` of all containers save 17 % of the instructions of decoding the binary
  /// document of `make counts`.
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try value(key).number(type, at: path(key))
  }

  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try value(key).number(type, at: path(key))
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    guard let index = index(key) else { return try decodeMissing(type, key) }
    return try decoder.decodeEntry(type, at: index, forKey: key)
  }

  /// Decodes a missing value, which succeeds for optionals and types that wrap one.
  @inline(never)  // Keeps the metadata of `T?` from being requested for keys that have a value.
  private func decodeMissing<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
    guard let value = try? decoder.decodeEntry(type, at: nil, forKey: key) else {
      throw DecodingError.noKey(key, in: decoder.path)
    }
    return value
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
    guard let index = index(key), !decoder.session.isNil(decoder.elements[index]) else {
      return nil
    }
    return try decoder.decodeEntry(type, at: index, forKey: key)
  }

  func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try existing(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try existing(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder {
    let key = PlistCodingKey.superclass
    return decoder.entryDecoder(at: decoder.index(of: key.stringValue), forKey: key)
  }

  func superDecoder(forKey key: Key) -> any Decoder {
    decoder.entryDecoder(at: index(key), forKey: key)
  }
}

/// An array or set that is being decoded. An element that fails to decode remains the next one.
struct PlistUnkeyedDecodingContainer: UnkeyedDecodingContainer {
  let decoder: ValueDecoder
  private(set) var currentIndex = 0

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { decoder.elements.count }
  var isAtEnd: Bool { currentIndex == decoder.elements.count }
  private var path: CodingPath { .index(currentIndex, after: decoder.path) }

  private func index(_ type: Any.Type) throws(DecodingError) -> Int {
    guard !isAtEnd else { throw .noMoreElements(type, at: path) }
    return currentIndex
  }

  @inline(__always)
  private func value(_ type: Any.Type) throws(DecodingError) -> PlistValue {
    decoder.elements[try index(type)]
  }

  private mutating func advance<Result>(_ result: Result) -> Result {
    currentIndex += 1
    return result
  }

  mutating func decodeNil() throws -> Bool {
    let isNil = decoder.session.isNil(try value(Any?.self))
    return isNil ? advance(true) : false
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool {
    advance(try value(type).boolean(at: path))
  }

  mutating func decode(_ type: String.Type) throws -> String {
    advance(try value(type).text(at: path))
  }

  mutating func decode(_ type: Double.Type) throws -> Double {
    advance(try value(type).double(at: path))
  }

  mutating func decode(_ type: Float.Type) throws -> Float {
    advance(try value(type).float(at: path))
  }

  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    advance(try value(type).number(type, at: path))
  }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    advance(try value(type).number(type, at: path))
  }

  mutating func decode(_ type: Int.Type) throws -> Int {
    advance(try value(type).number(type, at: path))
  }

  mutating func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
    advance(try value(type).number(type, at: path))
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    advance(try decoder.decodeElement(type, at: index(type)))
  }

  mutating func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    advance(try decoder.elementDecoder(at: index([String: Any].self)).container(keyedBy: type))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    advance(try decoder.elementDecoder(at: index([Any].self)).unkeyedContainer())
  }

  mutating func superDecoder() throws -> any Decoder {
    advance(decoder.elementDecoder(at: try index((any Decoder).self)))
  }
}
