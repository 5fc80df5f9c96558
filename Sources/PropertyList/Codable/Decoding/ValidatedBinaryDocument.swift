internal import FoundationEssentials

/// A binary property list that has been validated as a whole, from which values are decoded in
/// place. It owns a copy of the bytes, because a decoder may outlive the call that created it.
final class ValidatedBinaryDocument {
  /// The owner of the bytes.
  private let data: Data
  private let objects: BinaryObjects
  private let referenceSize: Int
  /// Values that several references may share, by object: long strings and data, and full
  /// containers.
  private var cache: [Int: PlistValue] = [:]
  // Nothing looks up a key list while one is created.
  /// The distinct key lists. Most dictionaries of a document have one of a few.
  @exclusivity(unchecked) private var keyLists: [InternedKeyList] = []
  @exclusivity(unchecked) private var keyListIndex = HashIndex()

  /// The lookup of dictionaries that refer to the same keys in the same order.
  private struct InternedKeyList {
    /// The offset of the references in one of the dictionaries.
    let start: Int
    let count: Int
    let lookup: KeyLookup
  }

  /// A dictionary, array or set that is still encoded in a binary document.
  struct Container {
    let document: ValidatedBinaryDocument
    let object: Int
    let kind: PlistValue.Kind
    /// The number of elements or entries; repeated keys count each time.
    let count: Int
    /// The offset of the references to the keys of a dictionary.
    let keyStart: Int
    /// The offset of the references to the elements, or to the values of a dictionary.
    let start: Int

    /// The elements, or the values of a dictionary; those of repeated keys are included.
    var elements: DecodingElements { .encoded(document, start: start) }

    /// Returns the keys of a dictionary with the indices of their values.
    func keyLookup() -> KeyLookup { document.keyLookup(at: keyStart, count: count) }
  }

  /// Copies a document, which must not be empty, and validates it as reading it would.
  init(_ original: Data, limits: PlistLimits) throws(PlistError) {
    let count = original.count
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    original.copyBytes(to: copy)
    data = Data(
      bytesNoCopy: copy.baseAddress!, count: count,
      deallocator: .custom { start, _ in start.deallocate() })
    try BinaryPlistReader.validate(data, limits)
    let bytes = BinaryBytes(UnsafeRawBufferPointer(copy))
    objects = BinaryObjects(bytes: bytes, trailer: try BinaryTrailer(bytes))
    referenceSize = objects.trailer.referenceSize
  }

  var size: Int { data.count }
  var root: DecodingInput { input(of: objects.trailer.topObject) }

  /// Returns the value that a reference leads to, by its index in the list at an offset.
  @inline(__always)
  func input(_ index: Int, from start: Int) -> DecodingInput {
    input(of: reference(index, from: start))
  }

  /// Returns the value that a reference leads to, or an empty container instead of a
  /// container.
  @inline(__always)
  func shallowValue(_ index: Int, from start: Int) -> PlistValue {
    let object = reference(index, from: start)
    let offset = objects.offset(of: object)
    if let text = objects.shortASCII(at: offset) { return .string(String(ascii: text)) }
    if let number = objects.shortInteger(at: offset) { return .integer(number) }
    return leaf(object, at: offset) ?? otherInput(of: object, at: offset).shallowValue
  }

  @inline(__always)
  private func reference(_ index: Int, from start: Int) -> Int {
    Int(objects.bytes.integer(at: start + index * referenceSize, size: referenceSize) ?? 0)
  }

  @inline(__always)
  private func input(of object: Int) -> DecodingInput {
    let offset = objects.offset(of: object)
    if let text = objects.shortASCII(at: offset) { return .value(.string(String(ascii: text))) }
    return otherInput(of: object, at: offset)
  }

  private func leaf(_ object: Int, at offset: Int) -> PlistValue? {
    let marker = objects.bytes[offset]
    switch BinaryMarker.type(of: marker) {
    case BinaryMarker.data, BinaryMarker.asciiString, BinaryMarker.utf16String:
      return stringOrData(of: object, at: offset)
    case BinaryMarker.array, BinaryMarker.set, BinaryMarker.dictionary: return nil
    // A validated document throws no errors, here and below.
    default: return (try? objects.scalar(at: offset)) ?? .null
    }
  }

  private func otherInput(of object: Int, at offset: Int) -> DecodingInput {
    if let leaf = leaf(object, at: offset) { return .value(leaf) }
    let kind = BinaryMarker.containerKind(objects.bytes[offset]) ?? .dictionary
    let payload = try? objects.payload(at: offset)
    let count = payload?.count ?? 0
    let start = payload?.start ?? offset
    return .encoded(
      Container(
        document: self, object: object, kind: kind, count: count, keyStart: start,
        start: kind == .dictionary ? start + count * referenceSize : start))
  }

  /// The size in bytes from which strings and data are cached.
  private static let cachedSize = 1024

  private func stringOrData(of object: Int, at offset: Int) -> PlistValue {
    guard let payload = try? objects.payload(at: offset) else { return .null }
    let content = objects.bytes[payload.range]
    if content.count >= Self.cachedSize, let value = cache[object] { return value }
    let value: PlistValue =
      switch BinaryMarker.type(of: objects.bytes[offset]) {
      case BinaryMarker.data: .data(Data(content))
      case BinaryMarker.asciiString:
        .string(content.isASCII ? String(ascii: content) : String.decodingMarkedASCII(content).0)
      default: .string(String(bigEndianUTF16: content) ?? "")
      }
    if content.count >= Self.cachedSize { cache[object] = value }
    return value
  }

  /// Returns the lookup for the keys that references at an offset lead to, shared with dictionaries
  /// that have the same key list.
  func keyLookup(at start: Int, count: Int) -> KeyLookup {
    let bytes = objects.bytes
    let references = bytes[start..<start + count * referenceSize]
    let next = keyLists.count
    let index = keyListIndex.findOrInsert(next, hash: ByteHash.hash32(references)) { index in
      let other = keyLists[index]
      return other.count == count
        && bytes[other.start..<other.start + references.count].hasSameBytes(as: references)
    }
    if index < next {
      let lookup = keyLists[index].lookup
      lookup.markShared()
      return lookup
    }
    let lookup = KeyLookup(KeyList((0..<count).map { key($0, from: start) }))
    keyLists.append(InternedKeyList(start: start, count: count, lookup: lookup))
    return lookup
  }

  private func key(_ index: Int, from start: Int) -> String {
    // Keys have been validated to be strings.
    guard case .string(let key) = shallowValue(index, from: start) else { return "" }
    return key
  }

  /// Returns a container with everything it contains. It recurses as deep as the limits have
  /// allowed.
  func fullValue(of container: Container) -> PlistValue {
    if let value = cache[container.object] { return value }
    let value: PlistValue
    switch container.kind {
    case .dictionary:
      var dictionary = PlistDictionary()
      dictionary.reserveCapacity(container.count)
      for index in 0..<container.count {
        dictionary.updateValue(
          input(index, from: container.start).fullValue(),
          forKey: key(index, from: container.keyStart))
      }
      value = .dictionary(dictionary)
    default:
      var elements: [PlistValue] = []
      elements.reserveCapacity(container.count)
      for index in 0..<container.count {
        elements.append(input(index, from: container.start).fullValue())
      }
      value = container.kind == .set ? .set(elements) : .array(elements)
    }
    cache[container.object] = value
    return value
  }
}
