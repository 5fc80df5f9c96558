internal import FoundationEssentials
internal import Glibc

/// Writes binary property lists.
///
/// Objects stand in the order in which a walk from the root first meets them, a dictionary's keys
/// before its values, so the root is object 0 and equal values give equal bytes. Strings, numbers,
/// dates and data are written once each, told apart by type and bits: 1, 1.0, true, -0.0 and the
/// four-byte 1.0 are five objects.
struct BinaryPlistWriter: ~Copyable {
  private let options: PlistWriteOptions
  private var nodes: NodeCount
  /// The objects that are not set apart, one behind the other as they will stand in the file.
  private var leaves = OutputBuffer()
  /// Where each object begins among the leaves; for one that is set apart the end of the one before.
  private var starts: [Int] = []
  private var numbers = HashIndex()
  private var numbersByStorage: [Storage: UInt32] = [:]
  private var setApart: [SetApart] = []
  /// Data that is too long to be copied twice, with the number of its object.
  private var longData: [(data: Data, object: Int)] = []
  private var longDataNumbers = HashIndex()
  private var references: [UInt32] = []
  private var walks: [Walk] = []
  /// What is known of the keys of dictionaries that were met.
  private var shapes: [ObjectIdentifier: KnownShape] = [:]

  /// An object that is not among the leaves: a container or long data.
  private struct SetApart {
    let object: Int
    let kind: PlistValue.Kind
    /// Where the references of a container begin, or which of the long data it is.
    let first: Int
    /// How many values a container has, or how many bytes the data.
    let count: Int

    var marker: UInt8 {
      switch kind {
      case .dictionary: 0xD0
      case .array: 0xA0
      case .set: 0xC0
      default: 0x40
      }
    }

    /// The references of a container, in a dictionary those of all keys first.
    var references: Range<Int> {
      switch kind {
      case .dictionary: first..<first + 2 * count
      case .array, .set: first..<first + count
      default: 0..<0
      }
    }
  }

  /// A container in the middle of the walk.
  private struct Walk {
    var container: ContainerCursor
    /// Where the reference to the first value goes.
    let firstReference: Int

    /// Where the reference to the value goes that was met last.
    var reference: Int { firstReference + container.index }
  }

  /// Dictionaries that share their keys share what has been found out about these.
  private struct KnownShape {
    let positions: [Int]?
    /// Where the references to the keys stand that were written first.
    let firstReference: Int
    /// What the keys count for.
    let nodes: Int
  }

  /// Writes a whole document.
  static func write(
    _ value: PlistValue, options: PlistWriteOptions
  ) throws(PlistError) -> Data {
    var writer = BinaryPlistWriter(options: options)
    do throws(PlistError.Kind) {
      try writer.collect(value)
      return try writer.document()
    } catch {
      let path = writer.walks.map(\.container.component)
      throw PlistError(error, keyPath: PlistKeyPath(components: path))
    }
  }

  private init(options: PlistWriteOptions) {
    self.options = options
    nodes = NodeCount(limits: options.limits)
  }

  // MARK: Collecting objects

  /// Numbers the objects of a value.
  private mutating func collect(_ root: PlistValue) throws(PlistError.Kind) {
    _ = try number(of: root)
    while var walk = walks.popLast() {
      // Taken from the others while its values are leaves, and put back for a container among them.
      while let value = walk.container.next() {
        let place = walk.reference
        switch value {
        case .dictionary, .array, .set:
          walks.append(walk)
          references[place] = try number(of: value)
          walk = walks.removeLast()
        default:
          do throws(PlistError.Kind) {
            references[place] = try number(of: value)
          } catch {
            walks.append(walk)
            throw error
          }
        }
      }
    }
  }

  /// The number of a value's object, a new one where it has to be.
  private mutating func number(of value: PlistValue) throws(PlistError.Kind) -> UInt32 {
    try nodes.add(value)
    switch value {
    case .dictionary(let dictionary):
      return try open(dictionary)
    case .array(let elements):
      return try open(elements, kind: .array)
    case .set(let elements):
      return try open(elements, kind: .set)
    case .date(let date):
      if date.timeIntervalSinceReferenceDate.isNaN { throw .dateIsNaN }
      return leaf(value)
    default:
      return leaf(value)
    }
  }

  /// Numbers an array or a set.
  private mutating func open(
    _ elements: [PlistValue], kind: PlistValue.Kind
  ) throws(PlistError.Kind) -> UInt32 {
    let object = try addContainer(kind, count: elements.count)
    walks.append(
      Walk(container: ContainerCursor(elements, kind: kind), firstReference: object.first))
    return UInt32(object.object)
  }

  /// Numbers a dictionary and its keys, which follow it at once.
  private mutating func open(_ dictionary: PlistDictionary) throws(PlistError.Kind) -> UInt32 {
    let shape = dictionary.shape
    let known = shapes[ObjectIdentifier(shape)]
    let container =
      if let known {
        ContainerCursor(dictionary, positions: known.positions)
      } else {
        ContainerCursor(dictionary, order: options.keyOrder)
      }
    let object = try addContainer(.dictionary, count: dictionary.count)
    walks.append(Walk(container: container, firstReference: object.first + object.count))
    if let known {
      try nodes.add(known.nodes)
      for index in 0..<object.count {
        references[object.first + index] = references[known.firstReference + index]
      }
      return UInt32(object.object)
    }

    // Keys mostly differ from each other, and so do their values.
    numbers.reserve(starts.count + object.references.count)
    var count = 0
    for index in 0..<object.count {
      let key = container.key(at: index)
      do throws(PlistError.Kind) {
        try nodes.add(key: key)
      } catch {
        walks[walks.count - 1].container.index = index
        throw error
      }
      count += NodeCount.count(ofKey: key)
      references[object.first + index] = leaf(.string(key))
    }
    shapes[ObjectIdentifier(shape)] = KnownShape(
      positions: container.positions, firstReference: object.first, nodes: count)
    return UInt32(object.object)
  }

  /// Numbers a container, in front of whatever it contains, and makes room for its references.
  private mutating func addContainer(
    _ kind: PlistValue.Kind, count: Int
  ) throws(PlistError.Kind) -> SetApart {
    guard walks.count < options.limits.maximumDepth else {
      throw .tooDeep(limit: options.limits.maximumDepth)
    }
    let object = SetApart(
      object: starts.count, kind: kind, first: references.count, count: count)
    references.append(contentsOf: repeatElement(0, count: object.references.count))
    guard references.count <= options.limits.maximumSize, starts.count < UInt32.max else {
      throw .tooLarge(limit: options.limits.maximumSize)
    }
    starts.append(leaves.count)
    setApart.append(object)
    return object
  }

  /// The number of a leaf: that of an equal one, which has the same bytes in the file, or a new one.
  @inline(__always)
  private mutating func leaf(_ value: PlistValue) -> UInt32 {
    if let storage = Storage(value) { return leaf(value, in: storage) }
    let start = leaves.count
    Self.write(value, to: &leaves)
    return number(ofLeafFrom: start)
  }

  @inline(never)
  private mutating func leaf(_ value: PlistValue, in storage: Storage) -> UInt32 {
    if let number = numbersByStorage[storage] { return number }
    let number: UInt32
    if case .data(let data) = value {
      number = self.number(ofLong: data)
    } else {
      let start = leaves.count
      Self.write(value, to: &leaves)
      number = self.number(ofLeafFrom: start)
    }
    numbersByStorage[storage] = number
    return number
  }

  /// The number of long data: that of equal data, or a new one.
  private mutating func number(ofLong data: Data) -> UInt32 {
    let hash = data.withUnsafeBytes { UInt32(truncatingIfNeeded: ByteHash.hash($0) >> 32) }
    let next = longData.count
    let number = longDataNumbers.number(hash: hash, orNew: next) { longData[$0].data == data }
    if number == next {
      let object = starts.count
      setApart.append(SetApart(object: object, kind: .data, first: next, count: data.count))
      longData.append((data, object))
      starts.append(leaves.count)
    }
    return UInt32(longData[number].object)
  }

  /// The number of the leaf that has been written last, which is taken back where there is an equal one.
  private mutating func number(ofLeafFrom start: Int) -> UInt32 {
    let bytes = leaves.bytes
    let new = UnsafeRawBufferPointer(rebasing: bytes[start...])
    let hash = UInt32(truncatingIfNeeded: ByteHash.hash(new) >> 32)
    let next = starts.count
    let number = starts.withUnsafeBufferPointer { starts in
      numbers.number(hash: hash, orNew: next) { number in
        let end = number + 1 < next ? starts[number + 1] : start
        return end - starts[number] == new.count
          && memcmp(bytes.baseAddress! + starts[number], new.baseAddress!, new.count) == 0
      }
    }
    if number == next {
      starts.append(start)
    } else {
      leaves.truncate(to: start)
    }
    return UInt32(number)
  }

  /// Where the bytes of a long string or data lie, which tells it without a look at them.
  private struct Storage: Hashable {
    let address: UnsafeRawPointer?
    let count: Int

    /// Nil for values that are written and hashed in no time, or have no storage of their own.
    @inline(__always)
    init?(_ value: PlistValue) {
      switch value {
      case .string(let string) where string.utf8.count > Self.shortCount: self.init(long: value)
      case .data(let data) where data.count > Self.shortCount: self.init(long: value)
      default: return nil
      }
    }

    @inline(never)
    private init?(long value: PlistValue) {
      let storage =
        switch value {
        case .string(let string): string.withBytes { ($0.baseAddress, $0.count) }
        case .data(let data): data.withUnsafeBytes { ($0.baseAddress, $0.count) }
        default: (nil as UnsafeRawPointer?, 0)
        }
      guard storage.1 > 0 else { return nil }
      (address, count) = storage
    }

    private static let shortCount = 512
  }

  // MARK: Writing

  private func document() throws(PlistError.Kind) -> Data {
    // CoreFoundation never writes 256 objects with references of one byte, although it reads them.
    let referenceSize = Self.size(of: UInt64(starts.count))
    let tableOffset =
      BinaryTrailer.header.utf8.count + leaves.count
      + setApart.reduce(0) { $0 + Self.size(of: $1, referenceSize: referenceSize) }
    let offsetSize = Self.size(of: UInt64(tableOffset))
    let size = tableOffset + starts.count * offsetSize + BinaryTrailer.length
    if size > options.limits.maximumSize { throw .tooLarge(limit: options.limits.maximumSize) }

    var output = OutputBuffer(capacity: size)
    output.append("bplist00")
    let bytes = leaves.bytes
    var written = 0
    for object in setApart {
      output.append(UnsafeRawBufferPointer(rebasing: bytes[written..<starts[object.object]]))
      written = starts[object.object]
      Self.write(marker: object.marker, count: object.count, to: &output)
      if object.kind == .data { output.append(longData[object.first].data) }
      for reference in references[object.references] {
        output.append(bigEndian: UInt64(reference), size: referenceSize)
      }
    }
    output.append(UnsafeRawBufferPointer(rebasing: bytes[written...]))

    writeTable(offsetSize: offsetSize, referenceSize: referenceSize, to: &output)
    output.append(repeating: 0, count: 6)
    output.append(UInt8(offsetSize))
    output.append(UInt8(referenceSize))
    output.append(bigEndian: UInt64(starts.count), size: 8)
    output.append(bigEndian: 0, size: 8)
    output.append(bigEndian: UInt64(tableOffset), size: 8)
    return output.data()
  }

  /// Writes the offsets of all objects.
  private func writeTable(offsetSize: Int, referenceSize: Int, to output: inout OutputBuffer) {
    // What stands before an object besides the leaves: the header, then more with each that is set apart.
    var before = BinaryTrailer.header.utf8.count
    var next = setApart[...]
    for (object, start) in starts.enumerated() {
      output.append(bigEndian: UInt64(before + start), size: offsetSize)
      if let first = next.first, first.object == object {
        before += Self.size(of: first, referenceSize: referenceSize)
        next.removeFirst()
      }
    }
  }

  /// The bytes that an object takes.
  private static func size(of object: SetApart, referenceSize: Int) -> Int {
    let count = object.count
    return (count < 15 ? 1 : 2 + size(of: UInt64(count)))
      + (object.kind == .data ? count : object.references.count * referenceSize)
  }

  @inline(__always)
  private static func write(_ value: PlistValue, to output: inout OutputBuffer) {
    switch value {
    case .null: output.append(0x00)
    case .boolean(let boolean): output.append(boolean ? 0x09 : 0x08)
    case .integer(let number): write(integer: number, to: &output)
    case .unsignedInteger(let number):
      if let signed = Int64(exactly: number) {
        write(integer: signed, to: &output)
      } else {
        // Eight bytes are signed; above them only sixteen are left.
        output.append(0x14)
        output.append(bigEndian: number, size: 16)
      }
    case .real(let number):
      output.append(0x23)
      output.append(bigEndian: number.bitPattern, size: 8)
    case .float(let number):
      output.append(0x22)
      output.append(bigEndian: UInt64(number.bitPattern), size: 4)
    case .date(let date):
      output.append(0x33)
      output.append(bigEndian: date.timeIntervalSinceReferenceDate.bitPattern, size: 8)
    case .data(let data):
      write(marker: 0x40, count: data.count, to: &output)
      output.append(data)
    case .string(let string):
      write(string, to: &output)
    case .uid(let uid):
      let size = size(of: UInt64(uid))
      output.append(0x80 | UInt8(size - 1))
      output.append(bigEndian: UInt64(uid), size: size)
    case .dictionary, .array, .set:
      preconditionFailure("a container is not a leaf")
    }
  }

  /// ASCII where that is enough, else UTF-16.
  @inline(__always)
  private static func write(_ string: String, to output: inout OutputBuffer) {
    string.withBytes { bytes in
      if bytes.isASCII {
        write(marker: 0x50, count: bytes.count, to: &output)
        output.append(bytes)
      } else {
        write(marker: 0x60, count: bytes.utf16Count, to: &output)
        bytes.forEachUTF16Unit { unit in output.append(bigEndian: UInt64(unit), size: 2) }
      }
    }
  }

  private static func write(integer: Int64, to output: inout OutputBuffer) {
    let size = integer < 0 ? 8 : size(of: UInt64(integer))
    output.append(0x10 | UInt8(size.trailingZeroBitCount))
    output.append(bigEndian: UInt64(bitPattern: integer), size: size)
  }

  @inline(__always)
  private static func write(marker: UInt8, count: Int, to output: inout OutputBuffer) {
    if count < 15 {
      output.append(marker | UInt8(count))
    } else {
      output.append(marker | 0x0F)
      write(integer: Int64(count), to: &output)
    }
  }

  /// The bytes that a number takes: 1, 2, 4 or 8.
  private static func size(of number: UInt64) -> Int {
    number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : number < 1 << 32 ? 4 : 8
  }
}
