/// An array or set that is being decoded. What cannot be decoded remains the next element.
struct PlistUnkeyedDecodingContainer: UnkeyedDecodingContainer {
  let decoder: ValueDecoder
  /// The number of elements.
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

  /// The next element.
  private func node(_ type: Any.Type) throws(DecodingError) -> DecodedNode {
    guard !isAtEnd else { throw .end(type, at: path) }
    return decoder.element(at: currentIndex)
  }

  /// The next element; of a container that is stored only the kind.
  private func value(_ type: Any.Type) throws(DecodingError) -> PlistValue {
    try node(type).shallow
  }

  /// Passes over the next element, which has become a result.
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
    advance(try decoder.element(type, node(type), at: currentIndex))
  }

  mutating func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let node = try node([String: Any].self)
    return advance(try decoder.element(node, at: currentIndex).container(keyedBy: type))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let node = try node([Any].self)
    return advance(try decoder.element(node, at: currentIndex).unkeyedContainer())
  }

  mutating func superDecoder() throws -> any Decoder {
    advance(decoder.element(try node((any Decoder).self), at: currentIndex))
  }
}
