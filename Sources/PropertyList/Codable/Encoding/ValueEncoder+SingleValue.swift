extension ValueEncoder: SingleValueEncodingContainer {
  func encodeNil() { takeSingle(nil) }

  func encode(_ value: Bool) { takeSingle(.boolean(value)) }

  func encode(_ value: String) { takeSingle(.string(value)) }

  func encode(_ value: Double) { takeSingle(.real(value)) }

  func encode(_ value: Float) { takeSingle(.float(value)) }

  func encode(_ value: Int128) throws { takeSingle(try .number(value, at: path)) }

  func encode(_ value: UInt128) throws { takeSingle(try .number(value, at: path)) }

  func encode(_ value: Int) { takeSingle(.integer(Int64(value))) }

  func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws {
    takeSingle(try .number(value, at: path))
  }

  func encode<T: Encodable>(_ value: T) throws {
    takeSingle(try encoded(value, at: path, depth: depth))
  }
}
