extension ValueEncoder: SingleValueEncodingContainer {
  func encodeNil() { setSingleValue(nil) }

  func encode(_ value: Bool) { setSingleValue(.boolean(value)) }

  func encode(_ value: String) { setSingleValue(.string(value)) }

  func encode(_ value: Double) { setSingleValue(.real(value)) }

  func encode(_ value: Float) { setSingleValue(.float(value)) }

  func encode(_ value: Int128) throws { setSingleValue(try .number(value, at: path)) }

  func encode(_ value: UInt128) throws { setSingleValue(try .number(value, at: path)) }

  func encode(_ value: Int) { setSingleValue(.integer(Int64(value))) }

  func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws {
    setSingleValue(try .number(value, at: path))
  }

  func encode<T: Encodable>(_ value: T) throws {
    setSingleValue(try encodeValue(value, at: path, depth: depth))
  }
}
