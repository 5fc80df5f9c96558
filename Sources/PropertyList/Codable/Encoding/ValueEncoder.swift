internal import FoundationEssentials

/// Encodes one value: a container, a single value, or nil. A value that encodes nothing becomes an
/// empty dictionary. Nested containers and superclasses can be encoded in any order until the value
/// is finished.
final class ValueEncoder {
  let session: EncodingSession
  let path: CodingPath
  /// The number of containers around the value.
  let depth: Int

  /// Room is reserved in advance for at most this number of entries.
  private static let maximumReservedCount = 64

  private enum Contents {
    case unset, encodedNil, single(PlistValue), keyed, unkeyed
  }

  // No call that is made while one of these properties changes reenters this encoder. With checks
  // here, in the session and in DictionaryShape, encoding the document of `make counts` as a value
  // takes 50 % more instructions.
  @exclusivity(unchecked) private var contents = Contents.unset
  @exclusivity(unchecked) private var entries = Entries()
  @exclusivity(unchecked) private var array: [PlistValue] = []
  /// The elements whose encoders are still open; each has a placeholder in `array`.
  private var openElements: [(index: Int, encoder: ValueEncoder)] = []

  private struct Entries {
    var dictionary = DictionaryBuilder()
    /// The entries whose encoders are still open; each has a placeholder in `dictionary`.
    var open: [ByteKey: ValueEncoder] = [:]

    @inline(__always)
    mutating func set(_ value: PlistValue, forKey key: String, _ shapes: inout ShapeTree) {
      if !open.isEmpty { open[ByteKey(key)] = nil }
      if dictionary.follow(key, in: shapes) {
        dictionary.append(value)
      } else {
        change(key, to: value, &shapes)
      }
    }

    mutating func remove(_ key: String, _ shapes: inout ShapeTree) {
      open[ByteKey(key)] = nil
      change(key, to: nil, &shapes)
    }

    /// Sets or removes the value of a key that may already have one.
    @inline(never)
    mutating func change(_ key: String, to value: PlistValue?, _ shapes: inout ShapeTree) {
      dictionary.withOwnKeys(&shapes) { $0[key] = value }
    }
  }

  init(session: EncodingSession, path: CodingPath = .root, depth: Int = 0) {
    (self.session, self.path, self.depth) = (session, path, depth)
  }

  var codingPath: [any CodingKey] { path.keys }

  func finish() throws(EncodingError) -> PlistValue? {
    switch contents {
    case .unset:
      openDictionary()
      return .dictionary([:])
    case .encodedNil: return nil
    case .single(let value): return value
    case .keyed:
      for (key, encoder) in entries.open {
        entries.change(key.text, to: try encoder.finish(), &session.shapes)
      }
      session.expectedEntryCount = min(entries.dictionary.count, Self.maximumReservedCount)
      return .dictionary(entries.dictionary.finish(&session.shapes, isOnlyOne: depth == 0))
    case .unkeyed:
      for (index, encoder) in openElements {
        guard let value = try encoder.finish() else { throw .nilElement(at: encoder.path) }
        array[index] = value
      }
      return .array(array)
    }
  }

  /// Encodes a nested value, or a value that replaces this one; returns nil for nil.
  func encodeValue<T: Encodable>(
    _ value: T, at path: @autoclosure () -> CodingPath, depth: Int
  ) throws -> PlistValue? {
    // With `as?`, encoding an array of dates takes 62 % more instructions, and of data 41 %.
    if T.self == Date.self { return .date(unsafeBitCast(value, to: Date.self)) }
    if T.self == Data.self { return .data(unsafeBitCast(value, to: Data.self)) }
    return try encodeByMethod(value, at: path(), depth: depth)
  }

  private func encodeByMethod<T: Encodable>(
    _ value: T, at path: CodingPath, depth: Int
  ) throws -> PlistValue? {
    try session.enter(value, at: path)
    defer { session.leave() }
    let encoder = ValueEncoder(session: session, path: path, depth: depth)
    try value.encode(to: encoder)
    return try encoder.finish()
  }

  /// Encodes a property list value. Entries and elements are added to the existing ones.
  func merge(_ value: PlistValue) {
    switch value {
    case .dictionary(let dictionary):
      openDictionary()
      for (key, value) in dictionary { set(value, forKey: key) }
    case .array(let elements):
      openArray()
      array += elements
    default: setSingleValue(value)
    }
  }

  func setSingleValue(_ value: PlistValue?) {
    guard case .unset = contents else {
      preconditionFailure("a value cannot encode a single value after a container or another value")
    }
    contents = value.map(Contents.single) ?? .encodedNil
  }

  /// Makes the value a dictionary unless it already is one.
  func openDictionary() {
    switch contents {
    case .keyed: break
    case .unset:
      contents = .keyed
      session.recordContainer(atDepth: depth, path)
      entries.dictionary.reserveCapacity(session.expectedEntryCount)
    default: preconditionFailure("a value cannot encode a keyed container after something else")
    }
  }

  func set(_ value: PlistValue, forKey key: String) {
    entries.set(value, forKey: key, &session.shapes)
  }

  func remove(_ key: String) { entries.remove(key, &session.shapes) }

  /// Replaces the value of a key with an open entry, and returns its encoder.
  func addOpenEntry(forKey key: some CodingKey) -> ValueEncoder {
    guard session.isWithinDepthLimit else { return detachedEncoder() }
    let encoder = ValueEncoder(session: session, path: .key(key, after: path), depth: depth + 1)
    entries.change(key.stringValue, to: .null, &session.shapes)
    entries.open[ByteKey(key.stringValue)] = encoder
    return encoder
  }

  /// Returns the encoder of a key's open entry. A finished value is opened again and keeps its
  /// contents.
  func openEntry(forKey key: some CodingKey) -> ValueEncoder {
    if let encoder = entries.open[ByteKey(key.stringValue)] { return encoder }
    let value = entries.dictionary.withOwnKeys(&session.shapes) { $0[key.stringValue] }
    let encoder = addOpenEntry(forKey: key)
    if let value { encoder.merge(value) }
    return encoder
  }

  var count: Int { array.count }

  /// Makes the value an array unless it already is one.
  func openArray() {
    switch contents {
    case .unkeyed: break
    case .unset:
      contents = .unkeyed
      session.recordContainer(atDepth: depth, path)
    default: preconditionFailure("a value cannot encode an unkeyed container after something else")
    }
  }

  func append(_ value: PlistValue) { array.append(value) }

  func appendOpenElement() -> ValueEncoder {
    guard session.isWithinDepthLimit else { return detachedEncoder() }
    let encoder = ValueEncoder(session: session, path: .index(count, after: path), depth: depth + 1)
    openElements.append((count, encoder))
    array.append(.null)
    return encoder
  }

  /// Returns an encoder for values that are nested too deeply. It is not retained and adds no
  /// depth, so that releasing a chain of encoders or keys cannot overflow the stack.
  private func detachedEncoder() -> ValueEncoder {
    ValueEncoder(session: session, path: path, depth: depth)
  }
}

extension ValueEncoder: Encoder {
  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    openDictionary()
    return KeyedEncodingContainer(PlistKeyedEncodingContainer(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    openArray()
    return PlistUnkeyedEncodingContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

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
