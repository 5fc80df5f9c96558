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
