internal import FoundationEssentials

/// Collects what one value encodes: a container, a value in its stead, or nil.
///
/// A value that asks for nothing is an empty dictionary. The containers within, and what superclasses
/// encode, may be filled in any order until the value is finished.
final class ValueEncoder {
  let session: EncodingSession
  let path: CodingPath
  /// The number of containers around the value.
  let depth: Int

  /// No more entries than so many are made room for before they come.
  private static let mostExpected = 64

  private enum Contents {
    case nothing, absent, single(PlistValue), keyed, unkeyed
  }

  // Nothing that is called while one of these is being changed comes back here.
  @exclusivity(unchecked) private var contents = Contents.nothing
  @exclusivity(unchecked) private var entries = Entries()
  @exclusivity(unchecked) private var array: [PlistValue] = []
  /// The elements that are still open. Each has a placeholder among the finished ones.
  private var openElements: [(index: Int, encoder: ValueEncoder)] = []

  /// The entries of a dictionary.
  private struct Entries {
    var dictionary = DictionaryBuilder()
    /// Those that are still open. Each has a placeholder among the finished ones.
    var open: [ExactKey: ValueEncoder] = [:]

    @inline(__always)
    mutating func set(_ value: PlistValue, forKey key: String, _ shapes: inout ShapeTree) {
      if !open.isEmpty { open[ExactKey(text: key)] = nil }
      if dictionary.follow(key, in: shapes) {
        dictionary.append(value)
      } else {
        change(key, to: value, &shapes)
      }
    }

    mutating func remove(_ key: String, _ shapes: inout ShapeTree) {
      open[ExactKey(text: key)] = nil
      change(key, to: nil, &shapes)
    }

    /// Sets the value of a key, which may have one already, or removes it.
    @inline(never)
    mutating func change(_ key: String, to value: PlistValue?, _ shapes: inout ShapeTree) {
      dictionary.withOwnKeys(&shapes) { $0[key] = value }
    }
  }

  /// A key that equals those of the same bytes alone, as the keys of a dictionary do.
  private struct ExactKey: Hashable {
    let text: String

    static func == (left: ExactKey, right: ExactKey) -> Bool {
      left.text.hasSameBytes(as: right.text)
    }

    func hash(into hasher: inout Hasher) {
      text.hashBytes(into: &hasher)
    }
  }

  init(session: EncodingSession, path: CodingPath = .root, depth: Int = 0) {
    self.session = session
    self.path = path
    self.depth = depth
  }

  var codingPath: [any CodingKey] { path.keys }

  /// The finished value; nil for nil.
  func finish() throws(EncodingError) -> PlistValue? {
    switch contents {
    case .nothing:
      openDictionary()
      return .dictionary([:])
    case .absent: return nil
    case .single(let value): return value
    case .keyed:
      for (key, encoder) in entries.open {
        entries.change(key.text, to: try encoder.finish(), &session.shapes)
      }
      session.expectedEntries = min(entries.dictionary.count, Self.mostExpected)
      return .dictionary(entries.dictionary.finish(&session.shapes, isOnlyOne: depth == 0))
    case .unkeyed:
      for (index, encoder) in openElements {
        guard let value = try encoder.finish() else { throw .nilElement(at: encoder.path) }
        array[index] = value
      }
      return .array(array)
    }
  }

  /// Encodes a value within this one, or in its stead, and returns it; nil for nil.
  func encoded<T: Encodable>(
    _ value: T, at path: @autoclosure () -> CodingPath, depth: Int
  ) throws -> PlistValue? {
    if T.self == Date.self { return .date(unsafeBitCast(value, to: Date.self)) }
    if T.self == Data.self { return .data(unsafeBitCast(value, to: Data.self)) }
    return try encodedByItself(value, at: path(), depth: depth)
  }

  /// Has a value encode itself and returns what comes of it; nil for nil.
  private func encodedByItself<T: Encodable>(
    _ value: T, at path: CodingPath, depth: Int
  ) throws -> PlistValue? {
    try session.enter(value, at: path)
    defer { session.leave() }
    let encoder = ValueEncoder(session: session, path: path, depth: depth)
    try value.encode(to: encoder)
    return try encoder.finish()
  }

  /// Takes a value as it is: entries and elements join those that are there.
  func take(_ value: PlistValue) {
    switch value {
    case .dictionary(let dictionary):
      openDictionary()
      for (key, value) in dictionary { set(value, forKey: key) }
    case .array(let elements):
      openArray()
      array += elements
    default:
      takeSingle(value)
    }
  }

  /// Takes the value that stands in this one's stead; nil for nil.
  func takeSingle(_ value: PlistValue?) {
    guard case .nothing = contents else {
      preconditionFailure("a value encodes one value in its stead, and no container besides")
    }
    contents = value.map(Contents.single) ?? .absent
  }

  // MARK: Dictionaries

  /// Makes the value a dictionary unless it is one.
  func openDictionary() {
    switch contents {
    case .keyed: break
    case .nothing:
      contents = .keyed
      session.open(within: depth, at: path)
      entries.dictionary.reserveCapacity(session.expectedEntries)
    default: preconditionFailure("a value that encodes something else asks for a keyed container")
    }
  }

  /// Sets an entry.
  func set(_ value: PlistValue, forKey key: String) {
    entries.set(value, forKey: key, &session.shapes)
  }

  /// Removes an entry, which is what nil leaves.
  func remove(_ key: String) { entries.remove(key, &session.shapes) }

  /// Puts an open entry in the place of what the key had.
  func addEncoder(forKey key: some CodingKey) -> ValueEncoder {
    guard session.isSound else { return unused() }
    let encoder = ValueEncoder(session: session, path: .key(key, after: path), depth: depth + 1)
    entries.change(key.stringValue, to: .null, &session.shapes)
    entries.open[ExactKey(text: key.stringValue)] = encoder
    return encoder
  }

  /// The open entry of a key, which begins with what the key had.
  func encoder(forKey key: some CodingKey) -> ValueEncoder {
    if let encoder = entries.open[ExactKey(text: key.stringValue)] { return encoder }
    let value = entries.dictionary.withOwnKeys(&session.shapes) { $0[key.stringValue] }
    let encoder = addEncoder(forKey: key)
    if let value { encoder.take(value) }
    return encoder
  }

  // MARK: Arrays

  /// The number of elements.
  var count: Int { array.count }

  /// Makes the value an array unless it is one.
  func openArray() {
    switch contents {
    case .unkeyed: break
    case .nothing:
      contents = .unkeyed
      session.open(within: depth, at: path)
    default:
      preconditionFailure("a value that encodes something else asks for an unkeyed container")
    }
  }

  /// Adds an element.
  func append(_ value: PlistValue) {
    array.append(value)
  }

  /// Adds an open element.
  func appendEncoder() -> ValueEncoder {
    guard session.isSound else { return unused() }
    let encoder = ValueEncoder(
      session: session, path: .index(count, after: path), depth: depth + 1)
    openElements.append((count, encoder))
    array.append(.null)
    return encoder
  }

  /// An encoder for what lies too deep. Nothing refers to it, and it goes no deeper, so that no chain
  /// of encoders or keys outgrows the stack.
  private func unused() -> ValueEncoder {
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
