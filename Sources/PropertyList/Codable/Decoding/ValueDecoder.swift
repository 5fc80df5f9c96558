internal import FoundationEssentials

/// Gives one value to the type that it is decoded as.
final class ValueDecoder {
  let session: DecodingSession
  /// The value; nil where a dictionary has no entry, which types that take nil decode as nil.
  let found: DecodedNode?
  let path: CodingPath
  /// The number of containers around the value.
  let depth: Int
  // Nothing that is called while one of these is being changed comes back here.
  /// The keys of a dictionary, once it has been asked for as a container.
  @exclusivity(unchecked) private var keys: DecodedKeys?
  @exclusivity(unchecked) private var progress = DecodedKeys.Progress()
  /// What is within a dictionary, an array or a set.
  private let contents: DecodedContents

  init(session: DecodingSession, found: DecodedNode?, path: CodingPath, depth: Int) {
    self.session = session
    self.found = found
    self.path = path
    self.depth = depth
    contents =
      switch found {
      case .value(.dictionary(let dictionary)): .values(dictionary.contents)
      case .value(.array(let elements)), .value(.set(let elements)): .values(elements)
      case .stored(let container): container.contents
      default: .values([])
      }
  }

  /// The value, null where there is none; of a container that is stored only the kind.
  var shallow: PlistValue { found?.shallow ?? .null }

  var codingPath: [any CodingKey] { path.keys }

  /// The value as a type.
  func decode<T: Decodable>(as type: T.Type) throws -> T {
    if PlistValue.mayBeNative(type) {
      let value = shallow
      if value.isNative(type) { return try value.native(type, at: path) }
    }
    return try decodeItself(type)
  }

  /// The value as a type that decodes itself.
  private func decodeItself<T: Decodable>(_ type: T.Type) throws -> T {
    try session.enter(at: path)
    defer { session.leave() }
    return try T(from: self)
  }

  // MARK: Dictionaries

  /// The keys in order, as keys of a type that has not all of them.
  func keys<Key: CodingKey>(as type: Key.Type) -> [Key] {
    guard let all = keys?.all else { return [] }
    var keys: [Key] = []
    keys.reserveCapacity(all.count)
    for key in all {
      if let key = Key(stringValue: key) { keys.append(key) }
    }
    return keys
  }

  /// The index of a key's value; nil where there is none.
  @inline(__always)
  func index(of key: String) -> Int? { keys?.index(of: key, &progress) }

  /// The value at an index; of a container that is stored only the kind.
  @inline(__always)
  func shallow(at index: Int) -> PlistValue { contents.shallow(at: index) }

  /// An entry as a type; nil for the index of a key that has none.
  func entry<T: Decodable>(
    _ type: T.Type, at index: Int?, forKey key: some CodingKey
  ) throws -> T {
    if let index, PlistValue.mayBeNative(type) {
      let value = shallow(at: index)
      if value.isNative(type) { return try value.native(type, at: .key(key, after: path)) }
    }
    return try entry(at: index, forKey: key).decodeItself(type)
  }

  /// The decoder of an entry, of nothing for the index of a key that has none.
  func entry(at index: Int?, forKey key: some CodingKey) -> ValueDecoder {
    ValueDecoder(
      session: session, found: index.map { contents.node(at: $0) },
      path: .key(key, after: path), depth: depth + 1)
  }

  // MARK: Arrays

  /// The number of elements; nil where the value is no array and no set.
  var count: Int? {
    switch found {
    case .value(.array(let elements)), .value(.set(let elements)): elements.count
    case .stored(let container) where container.kind != .dictionary: container.count
    default: nil
    }
  }

  /// An element as a type.
  func element<T: Decodable>(_ type: T.Type, at index: Int) throws -> T {
    if PlistValue.mayBeNative(type) {
      let value = shallow(at: index)
      if value.isNative(type) { return try value.native(type, at: .index(index, after: path)) }
    }
    return try element(at: index).decodeItself(type)
  }

  /// The decoder of an element.
  func element(at index: Int) -> ValueDecoder {
    ValueDecoder(
      session: session, found: contents.node(at: index), path: .index(index, after: path),
      depth: depth + 1)
  }
}

extension ValueDecoder: Decoder {
  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try openDictionary()
    return KeyedDecodingContainer(PlistKeyedDecodingContainer(decoder: self))
  }

  private func openDictionary() throws(DecodingError) {
    switch found {
    case .value(.dictionary(let dictionary)):
      try session.open(within: depth, at: path)
      if keys == nil { keys = session.keys(of: dictionary.shape) }
    case .stored(let container) where container.kind == .dictionary:
      try session.open(within: depth, at: path)
      if keys == nil { keys = container.keys }
    default:
      throw DecodingError.mismatch(
        [String: Any].self, expected: .dictionary, found: shallow, at: path)
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let count else {
      throw DecodingError.mismatch([Any].self, expected: .array, found: shallow, at: path)
    }
    try session.open(within: depth, at: path)
    return PlistUnkeyedDecodingContainer(decoder: self, total: count)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { session.isNil(shallow) }

  func decode(_ type: Bool.Type) throws -> Bool { try shallow.boolean(at: path) }

  func decode(_ type: String.Type) throws -> String { try shallow.text(at: path) }

  func decode(_ type: Double.Type) throws -> Double { try shallow.double(at: path) }

  func decode(_ type: Float.Type) throws -> Float { try shallow.float(at: path) }

  func decode(_ type: Int128.Type) throws -> Int128 { try shallow.number(type, at: path) }

  func decode(_ type: UInt128.Type) throws -> UInt128 { try shallow.number(type, at: path) }

  func decode(_ type: Int.Type) throws -> Int { try shallow.number(type, at: path) }

  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
    try shallow.number(type, at: path)
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decode(as: type) }
}
