/// A dictionary that is being encoded. If a key repeats, the last value is used; nil removes the
/// entry.
struct PlistKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  private func path(_ key: Key) -> CodingPath { .key(key, after: encoder.path) }
  func encodeNil(forKey key: Key) { encoder.remove(key.stringValue) }

  func encode(_ value: Bool, forKey key: Key) {
    encoder.set(.boolean(value), forKey: key.stringValue)
  }

  func encode(_ value: String, forKey key: Key) {
    encoder.set(.string(value), forKey: key.stringValue)
  }

  func encode(_ value: Double, forKey key: Key) {
    encoder.set(.real(value), forKey: key.stringValue)
  }

  func encode(_ value: Float, forKey key: Key) {
    encoder.set(.float(value), forKey: key.stringValue)
  }

  func encode(_ value: Int128, forKey key: Key) throws {
    encoder.set(try .number(value, at: path(key)), forKey: key.stringValue)
  }

  func encode(_ value: UInt128, forKey key: Key) throws {
    encoder.set(try .number(value, at: path(key)), forKey: key.stringValue)
  }

  func encode(_ value: Int, forKey key: Key) {
    encoder.set(.integer(Int64(value)), forKey: key.stringValue)
  }

  func encode<T: FixedWidthInteger & Encodable>(_ value: T, forKey key: Key) throws {
    encoder.set(try .number(value, at: path(key)), forKey: key.stringValue)
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let encoded = try encoder.encodeValue(value, at: path(key), depth: encoder.depth + 1)
    if let encoded {
      encoder.set(encoded, forKey: key.stringValue)
    } else {
      encoder.remove(key.stringValue)
    }
  }

  func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder.openEntry(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.openEntry(forKey: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.addOpenEntry(forKey: PlistCodingKey.superclass) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder.addOpenEntry(forKey: key) }
}

/// An array that is being encoded. It cannot contain nil.
struct PlistUnkeyedEncodingContainer: UnkeyedEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.count }
  private var path: CodingPath { .index(encoder.count, after: encoder.path) }
  func encodeNil() throws { throw EncodingError.nilElement(at: path) }
  func encode(_ value: Bool) { encoder.append(.boolean(value)) }
  func encode(_ value: String) { encoder.append(.string(value)) }
  func encode(_ value: Double) { encoder.append(.real(value)) }
  func encode(_ value: Float) { encoder.append(.float(value)) }
  func encode(_ value: Int128) throws { encoder.append(try .number(value, at: path)) }
  func encode(_ value: UInt128) throws { encoder.append(try .number(value, at: path)) }
  func encode(_ value: Int) { encoder.append(.integer(Int64(value))) }

  func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws {
    encoder.append(try .number(value, at: path))
  }

  func encode<T: Encodable>(_ value: T) throws {
    guard let encoded = try encoder.encodeValue(value, at: path, depth: encoder.depth + 1) else {
      throw EncodingError.nilElement(at: path)
    }
    encoder.append(encoded)
  }

  func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder.appendOpenElement().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.appendOpenElement().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.appendOpenElement() }
}
