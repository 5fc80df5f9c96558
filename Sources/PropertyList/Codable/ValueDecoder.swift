internal import FoundationEssentials

/// Gives one value to the type that it is decoded as.
final class ValueDecoder {
  let session: DecodingSession
  /// The value; nil where a dictionary has no entry, which types that take nil decode as nil.
  let found: PlistValue?
  let path: CodingPath
  /// The number of containers around the value.
  let depth: Int

  init(session: DecodingSession, found: PlistValue?, path: CodingPath, depth: Int) {
    self.session = session
    self.found = found
    self.path = path
    self.depth = depth
  }

  /// The value, null where there is none.
  var value: PlistValue { found ?? .null }

  var codingPath: [any CodingKey] { path.keys }

  /// The value as a type.
  func decode<T: Decodable>(as type: T.Type) throws -> T {
    if let native = try native(type) { return native }
    try session.enter(at: path)
    defer { session.leave() }
    return try T(from: self)
  }

  /// The value as one of the types that are not left to decode themselves; nil for other types.
  @inline(never)  // Keeps its variables off the stack on the way down.
  private func native<T>(_ type: T.Type) throws(DecodingError) -> T? {
    if type == Date.self {
      guard case .date(let date) = value else {
        throw .mismatch(type, expected: .date, found: value, at: path)
      }
      return date as? T
    }
    if type == Data.self {
      guard case .data(let data) = value else {
        throw .mismatch(type, expected: .data, found: value, at: path)
      }
      return data as? T
    }
    if type == URL.self, case .string(let text) = value {
      guard let url = URL(string: text) else {
        throw .corrupted(at: path, "The string is not a URL.")
      }
      return url as? T
    }
    return nil
  }

  /// The decoder of an entry.
  func entry(_ found: PlistValue?, forKey key: some CodingKey) -> ValueDecoder {
    ValueDecoder(
      session: session, found: found, path: .key(key, after: path), depth: depth + 1)
  }

  /// The decoder of an element.
  func element(_ value: PlistValue, at index: Int) -> ValueDecoder {
    ValueDecoder(
      session: session, found: value, path: .index(index, after: path), depth: depth + 1)
  }
}

extension ValueDecoder: Decoder {
  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .dictionary(let dictionary) = value else {
      throw DecodingError.mismatch(
        [String: Any].self, expected: .dictionary, found: value, at: path)
    }
    try session.open(within: depth, at: path)
    return KeyedDecodingContainer(
      PlistKeyedDecodingContainer(decoder: self, dictionary: dictionary))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch value {
    case .array(let elements), .set(let elements):
      try session.open(within: depth, at: path)
      return PlistUnkeyedDecodingContainer(decoder: self, elements: elements)
    default:
      throw DecodingError.mismatch([Any].self, expected: .array, found: value, at: path)
    }
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { session.isNil(value) }

  func decode(_ type: Bool.Type) throws -> Bool { try value.boolean(at: path) }

  func decode(_ type: String.Type) throws -> String { try value.text(at: path) }

  func decode(_ type: Double.Type) throws -> Double { try value.double(at: path) }

  func decode(_ type: Float.Type) throws -> Float { try value.float(at: path) }

  func decode(_ type: Int128.Type) throws -> Int128 { try value.number(type, at: path) }

  func decode(_ type: UInt128.Type) throws -> UInt128 { try value.number(type, at: path) }

  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
    try value.number(type, at: path)
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decode(as: type) }
}
