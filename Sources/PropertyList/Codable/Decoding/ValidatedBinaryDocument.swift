internal import FoundationEssentials

/// A binary property list that has been checked as by reading it, from which values are decoded in place.
///
/// It has the bytes for itself: a decoder may be kept for longer than the decoding takes.
final class BinaryDocument {
  /// What owns the bytes.
  private let data: Data
  private let objects: BinaryObjects
  private let referenceSize: Int
  /// What several references may share and would be costly to make again: long strings and data, and
  /// containers that were made whole. By the numbers of the objects.
  private var shared: [Int: PlistValue] = [:]
  /// The different lists of keys that were met. Most dictionaries of a document have one of a few. Making
  /// one asks for no other.
  @exclusivity(unchecked) private var keyLists: [KeyList] = []
  @exclusivity(unchecked) private var keyListNumbers = HashIndex()

  /// What dictionaries share that refer to the same keys in the same order.
  private struct KeyList {
    let start: Int
    let count: Int
    let keys: DecodedKeys
  }

  /// Checks a document, which must not be empty.
  ///
  /// - Throws: What reading it would throw.
  init(_ original: Data, limits: PlistLimits) throws(PlistError) {
    let count = original.count
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    original.copyBytes(to: copy)
    data = Data(
      bytesNoCopy: copy.baseAddress!, count: count,
      deallocator: .custom { start, _ in start.deallocate() })
    _ = try BinaryPlistReader.check(data, limits)
    let bytes = BinaryBytes(UnsafeRawBufferPointer(copy))
    objects = BinaryObjects(bytes: bytes, trailer: try BinaryTrailer(bytes))
    referenceSize = objects.trailer.referenceSize
  }

  /// The outermost value.
  var root: DecodedNode { node(of: objects.trailer.topObject) }

  /// The value to which one of the references leads that begin at an offset.
  @inline(__always)
  func node(at start: Int, _ index: Int) -> DecodedNode {
    node(of: reference(at: start, index))
  }

  /// The same, but of a container only the kind.
  @inline(__always)
  func shallow(at start: Int, _ index: Int) -> PlistValue {
    let object = reference(at: start, index)
    let offset = objects.offset(of: object)
    if let text = objects.shortASCII(at: offset) { return .string(String(ascii: text)) }
    if let number = objects.shortInteger(at: offset) { return .integer(number) }
    return leaf(object, at: offset) ?? otherNode(of: object, at: offset).shallow
  }

  @inline(__always)
  private func reference(at start: Int, _ index: Int) -> Int {
    Int(objects.bytes.integer(at: start + index * referenceSize, size: referenceSize) ?? 0)
  }

  @inline(__always)
  private func node(of object: Int) -> DecodedNode {
    let offset = objects.offset(of: object)
    if let text = objects.shortASCII(at: offset) { return .value(.string(String(ascii: text))) }
    return otherNode(of: object, at: offset)
  }

  private func leaf(_ object: Int, at offset: Int) -> PlistValue? {
    switch objects.bytes[offset] >> 4 {
    case 0x4, 0x5, 0x6: text(of: object, at: offset)
    case 0xA, 0xC, 0xD: nil
    // Nothing is thrown here and below: it has been checked.
    default: (try? objects.scalar(at: offset)) ?? .null
    }
  }

  private func otherNode(of object: Int, at offset: Int) -> DecodedNode {
    if let leaf = leaf(object, at: offset) { return .value(leaf) }
    let kind: PlistValue.Kind =
      switch objects.bytes[offset] >> 4 {
      case 0xA: .array
      case 0xC: .set
      default: .dictionary
      }
    let bytesEach = kind == .dictionary ? 2 * referenceSize : referenceSize
    let contents = try? objects.contents(at: offset, bytesEach: bytesEach)
    let count = contents?.count ?? 0
    let start = contents?.start ?? offset
    return .stored(
      BinaryContainer(
        document: self, object: object, kind: kind, count: count, keyStart: start,
        start: kind == .dictionary ? start + count * referenceSize : start))
  }

  /// Strings and data of fewer bytes are not shared.
  private static let sharedLength = 1024

  /// Data or a string.
  private func text(of object: Int, at offset: Int) -> PlistValue {
    let type = objects.bytes[offset] >> 4
    guard let contents = try? objects.contents(at: offset, bytesEach: type == 0x6 ? 2 : 1) else {
      return .null
    }
    let content = objects.bytes[contents.range]
    if content.count >= Self.sharedLength, let value = shared[object] { return value }
    let value: PlistValue =
      switch type {
      case 0x4: .data(Data(content))
      case 0x5: .string(String(ascii: content))
      default: .string(String(bigEndianUTF16: content) ?? "")
      }
    if content.count >= Self.sharedLength { shared[object] = value }
    return value
  }

  /// The keys to which so many references lead that begin at an offset.
  func keys(at start: Int, count: Int) -> DecodedKeys {
    let bytes = objects.bytes
    let references = bytes[start..<start + count * referenceSize]
    let hash = UInt32(truncatingIfNeeded: ByteHash.hash(references) >> 32)
    let next = keyLists.count
    let number = keyListNumbers.number(hash: hash, orNew: next) { number in
      let other = keyLists[number]
      return other.count == count
        && bytes[other.start..<other.start + references.count].hasSameBytes(as: references)
    }
    if number < next {
      let keys = keyLists[number].keys
      keys.share()
      return keys
    }
    let keys = DecodedKeys((0..<count).map { key(at: start, $0) })
    keyLists.append(KeyList(start: start, count: count, keys: keys))
    return keys
  }

  /// The key to which one of the references leads that begin at an offset.
  private func key(at start: Int, _ index: Int) -> String {
    // It has been checked to be one.
    guard case .string(let key) = shallow(at: start, index) else { return "" }
    return key
  }

  /// A container with all that it contains.
  ///
  /// It goes down by recursion, as deep as ``PlistLimits/maximumDepth`` has allowed.
  func value(of container: BinaryContainer) -> PlistValue {
    if let value = shared[container.object] { return value }
    let value: PlistValue
    switch container.kind {
    case .dictionary:
      var dictionary = PlistDictionary()
      dictionary.reserveCapacity(container.count)
      for index in 0..<container.count {
        dictionary.updateValue(
          container.element(at: index).whole, forKey: key(at: container.keyStart, index))
      }
      value = .dictionary(dictionary)
    default:
      var elements: [PlistValue] = []
      elements.reserveCapacity(container.count)
      for index in 0..<container.count { elements.append(container.element(at: index).whole) }
      value = container.kind == .set ? .set(elements) : .array(elements)
    }
    shared[container.object] = value
    return value
  }
}
