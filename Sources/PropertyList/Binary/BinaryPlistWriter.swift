internal import FoundationEssentials

/// Writes binary property lists.
///
/// Objects stand in the order in which a walk from the root first meets them, a dictionary's keys
/// before its values, so the root is object 0 and equal values give equal bytes. Strings, numbers,
/// dates and data are written once each, told apart by type and bits: 1, 1.0, true, -0.0 and the
/// four-byte 1.0 are five objects.
struct BinaryPlistWriter {
  private let options: PlistWriteOptions
  private var objects: [Object] = []
  private var references: [UInt32] = []
  private var unique = UniqueObjects()
  private var containers: [Walk] = []
  private var nodes: NodeCount

  /// An object of the file.
  private enum Object {
    case leaf(PlistValue)
    /// The references stand at `first` and behind: `count` of them, for a dictionary twice as many.
    case container(PlistValue.Kind, first: Int, count: Int)
  }

  /// A container in the middle of the walk, and where its next reference goes.
  private struct Walk {
    var container: OpenContainer
    var nextReference: Int
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
      let path = writer.containers.map(\.container.component)
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
    while let last = containers.indices.last {
      guard let value = containers[last].container.next() else {
        containers.removeLast()
        continue
      }
      let place = containers[last].nextReference
      containers[last].nextReference += 1
      references[place] = try number(of: value)
    }
  }

  /// The number of a value's object, a new one where it has to be.
  private mutating func number(of value: PlistValue) throws(PlistError.Kind) -> UInt32 {
    try nodes.add(value)
    switch value {
    case .dictionary(let dictionary):
      let container = OpenContainer(dictionary, order: options.keyOrder)
      let number = try open(container, count: dictionary.count)
      // The keys' numbers follow the dictionary's own.
      var keys = container
      let first = references.count - 2 * dictionary.count
      for index in 0..<dictionary.count {
        _ = keys.next()
        let key = keys.key!
        try nodes.add(key: key)
        references[first + index] = leaf(.string(key))
      }
      return number
    case .array(let elements):
      return try open(OpenContainer(elements), count: elements.count)
    case .set(let elements):
      return try open(OpenContainer(elements, kind: .set), count: elements.count)
    case .date(let date):
      if date.timeIntervalSinceReferenceDate.isNaN { throw .notADate }
      return leaf(value)
    default:
      return leaf(value)
    }
  }

  private mutating func open(
    _ container: OpenContainer, count: Int
  ) throws(PlistError.Kind) -> UInt32 {
    guard containers.count < options.limits.depth else {
      throw .tooDeep(limit: options.limits.depth)
    }
    let first = references.count
    let referenceCount = container.kind == .dictionary ? 2 * count : count
    references.append(contentsOf: repeatElement(0, count: referenceCount))
    objects.append(.container(container.kind, first: first, count: count))
    guard references.count <= options.limits.size, objects.count < UInt32.max else {
      throw .tooLarge(limit: options.limits.size)
    }
    containers.append(
      Walk(container: container, nextReference: first + referenceCount - count))
    return UInt32(objects.count - 1)
  }

  private mutating func leaf(_ value: PlistValue) -> UInt32 {
    let number = unique.number(of: value, next: UInt32(objects.count))
    if number == objects.count { objects.append(.leaf(value)) }
    return number
  }

  // MARK: Writing

  private func document() throws(PlistError.Kind) -> Data {
    // CoreFoundation never writes 256 objects with references of one byte, although it reads them.
    let referenceSize = Self.size(of: UInt64(objects.count))
    var output = OutputBuffer()
    output.append("bplist00")
    var offsets: [Int] = []
    offsets.reserveCapacity(objects.count)
    for object in objects {
      offsets.append(output.count)
      if output.count > options.limits.size { throw .tooLarge(limit: options.limits.size) }
      switch object {
      case .leaf(let value):
        Self.write(value, to: &output)
      case .container(let kind, let first, let count):
        let marker: UInt8 = kind == .dictionary ? 0xD0 : kind == .array ? 0xA0 : 0xC0
        Self.write(marker: marker, count: count, to: &output)
        for reference in references[first..<first + (kind == .dictionary ? 2 * count : count)] {
          output.append(bigEndian: UInt64(reference), size: referenceSize)
        }
      }
    }

    let tableOffset = output.count
    let offsetSize = Self.size(of: UInt64(tableOffset))
    for offset in offsets { output.append(bigEndian: UInt64(offset), size: offsetSize) }
    output.append(repeating: 0, count: 6)
    output.append(UInt8(offsetSize))
    output.append(UInt8(referenceSize))
    output.append(bigEndian: UInt64(objects.count), size: 8)
    output.append(bigEndian: 0, size: 8)
    output.append(bigEndian: UInt64(tableOffset), size: 8)
    if output.count > options.limits.size { throw .tooLarge(limit: options.limits.size) }
    return output.data()
  }

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
  private static func write(_ string: String, to output: inout OutputBuffer) {
    if string.utf8.allSatisfy({ $0 < 0x80 }) {
      write(marker: 0x50, count: string.utf8.count, to: &output)
      output.append(string)
    } else {
      write(marker: 0x60, count: string.utf16.count, to: &output)
      for unit in string.utf16 { output.append(bigEndian: UInt64(unit), size: 2) }
    }
  }

  private static func write(integer: Int64, to output: inout OutputBuffer) {
    let size = integer < 0 ? 8 : size(of: UInt64(integer))
    output.append(0x10 | UInt8(size.trailingZeroBitCount))
    output.append(bigEndian: UInt64(bitPattern: integer), size: size)
  }

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

/// The leaves that have objects already, found by type and bits.
private struct UniqueObjects {
  /// Equality of storage: stricter than that of values, which passes over widths and signs of zero.
  private struct Stored: Hashable {
    let value: PlistValue

    static func == (left: Stored, right: Stored) -> Bool {
      switch (left.value, right.value) {
      case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
      case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
      case (.real, .float), (.float, .real): false
      case (.date(let a), .date(let b)):
        a.timeIntervalSinceReferenceDate.bitPattern == b.timeIntervalSinceReferenceDate.bitPattern
      default: left.value == right.value
      }
    }

    func hash(into hasher: inout Hasher) {
      switch value {
      case .real(let real): hasher.combine(real.bitPattern)
      case .float(let float): hasher.combine(float.bitPattern)
      case .date(let date): hasher.combine(date.timeIntervalSinceReferenceDate.bitPattern)
      default: value.hash(into: &hasher)
      }
    }
  }

  /// Where the bytes of a long string or data lie, which tells it without a look at them.
  private struct Storage: Hashable {
    let address: UnsafeRawPointer?
    let count: Int

    /// Nil for values that are hashed in no time, or have no storage of their own.
    init?(_ value: PlistValue) {
      let storage =
        switch value {
        case .string(let string): string.withBytes { ($0.baseAddress, $0.count) }
        case .data(let data): data.withUnsafeBytes { ($0.baseAddress, $0.count) }
        default: (nil as UnsafeRawPointer?, 0)
        }
      guard storage.1 > 64 else { return nil }
      (address, count) = storage
    }
  }

  private var numbers: [Stored: UInt32] = [:]
  private var numbersByStorage: [Storage: UInt32] = [:]

  /// The number of an equal leaf, or `next`, which it has from now on.
  mutating func number(of value: PlistValue, next: UInt32) -> UInt32 {
    let storage = Storage(value)
    if let storage, let number = numbersByStorage[storage] { return number }
    let stored = Stored(value: value)
    let number = numbers[stored] ?? next
    numbers[stored] = number
    if let storage { numbersByStorage[storage] = number }
    return number
  }
}
