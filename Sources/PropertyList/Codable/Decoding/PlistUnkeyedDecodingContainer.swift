/// An array or set that is being decoded. An element that fails to decode remains the next one.
struct PlistUnkeyedDecodingContainer: UnkeyedDecodingContainer {
  let decoder: ValueDecoder
  /// The number of elements of the array or set.
  let total: Int
  private(set) var currentIndex = 0

  init(decoder: ValueDecoder, total: Int) {
    self.decoder = decoder
    self.total = total
  }

  var codingPath: [any CodingKey] { decoder.codingPath }

  var count: Int? { total }

  var isAtEnd: Bool { currentIndex == total }

  private var path: CodingPath { .index(currentIndex, after: decoder.path) }

  /// Returns the index of the next element.
  ///
  /// - Throws: An error for the type that is expected if there are no more elements.
  private func index(_ type: Any.Type) throws(DecodingError) -> Int {
    guard !isAtEnd else { throw .noMoreElements(type, at: path) }
    return currentIndex
  }

  /// Returns the next element, or an empty container instead of an encoded one.
  @inline(__always)
  private func value(_ type: Any.Type) throws(DecodingError) -> PlistValue {
    decoder.shallowValue(at: try index(type))
  }

  /// Advances past the element that a result was decoded from.
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
