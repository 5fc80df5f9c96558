/// An array or set that is being decoded. What cannot be decoded remains the next element.
struct PlistUnkeyedDecodingContainer: UnkeyedDecodingContainer {
  let decoder: ValueDecoder
  let elements: [PlistValue]
  private(set) var currentIndex = 0

  init(decoder: ValueDecoder, elements: [PlistValue]) {
    self.decoder = decoder
    self.elements = elements
  }

  var codingPath: [any CodingKey] { decoder.codingPath }

  var count: Int? { elements.count }

  var isAtEnd: Bool { currentIndex == elements.count }

  private var path: CodingPath { .index(currentIndex, after: decoder.path) }

  /// The next element.
  private func value(_ type: Any.Type) throws(DecodingError) -> PlistValue {
    guard !isAtEnd else { throw .end(type, at: path) }
    return elements[currentIndex]
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

  mutating func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
    advance(try value(type).number(type, at: path))
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    advance(try decoder.element(value(type), at: currentIndex).decode(as: type))
  }

  mutating func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let value = try value([String: Any].self)
    return advance(try decoder.element(value, at: currentIndex).container(keyedBy: type))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let value = try value([Any].self)
    return advance(try decoder.element(value, at: currentIndex).unkeyedContainer())
  }

  mutating func superDecoder() throws -> any Decoder {
    advance(decoder.element(try value((any Decoder).self), at: currentIndex))
  }
}
