internal import FoundationEssentials
internal import Glibc

/// Writes binary property lists.
///
/// Objects are in the order of a depth-first traversal, the keys of a dictionary before its values,
/// so the root is object 0. Strings, numbers, dates and data are interned by type and bits: 1, 1.0,
/// true, -0.0 and the four-byte 1.0 are five objects. A container that the value shares in memory
/// is one object, so a value that is small because it shares its parts stays small.
struct BinaryPlistWriter: ~Copyable {
  private let options: PlistWriteOptions
  private var nodes: NodeCount
  /// The bytes of all objects that are not deferred, in their order.
  private var leaves = OutputBuffer()
  /// The offset in `leaves` of each object; for a deferred object the next leaf's.
  private var starts: [Int] = []
  private var leafIndex = HashIndex()
  private var objectsByStorage: [StorageIdentity: UInt32] = [:]
  private var deferred: [DeferredObject] = []
  private var longData: [LongData] = []
  private var longDataSamples = HashIndex()
  /// The long data that share their samples with others, by all their bytes.
  private var longDataContents = HashIndex()
  private var longDataSize = 0
  /// The number of the root and, from `first` of each container on, the numbers of its values.
  private var references: [UInt32] = [0]
  private var frames: [Frame] = []
  private var shapes: [ObjectIdentifier: WrittenShape] = [:]
  private var writtenContainers: [WrittenContainer] = []
  private var writtenContainerIndex = HashIndex()

  /// An object that is encoded last: a container, because the size of references is not known
  /// earlier, or long data.
  private struct DeferredObject {
    let object: Int
    let kind: PlistValue.Kind
    /// The index in `references` of a container's first reference, or the index in `longData`.
    let first: Int
    /// The number of values of a container, or of bytes of the data.
    let count: Int

    var marker: UInt8 {
      switch kind {
      case .dictionary: BinaryMarker.dictionary
      case .array: BinaryMarker.array
      case .set: BinaryMarker.set
      default: BinaryMarker.data
      }
    }

    /// The references of a container; those to the keys of a dictionary come before those to its
    /// values.
    var references: Range<Int> {
      switch kind {
      case .dictionary: first..<first + 2 * count
      case .array, .set: first..<first + count
      default: 0..<0
      }
    }

    func size(referenceSize: Int) -> Int {
      (count < Int(BinaryMarker.extendedLength) ? 1 : 2 + UInt64(count).byteSize)
        + (kind == .data ? count : references.count * referenceSize)
    }
  }

  private struct LongData {
    let data: Data
    let object: Int
    /// Whether it is in the index of all bytes.
    var isIndexed = false

    /// A hash of the length and some bytes, which distinguishes most data without reading all of
    /// it: hashing all takes 2.6 times the instructions.
    static func sample(_ data: Data) -> UInt32 {
      data.withUnsafeBytes { bytes in
        let length = min(sampleLength, bytes.count)
        let ends = [
          ByteHash.hash(UnsafeRawBufferPointer(rebasing: bytes.prefix(length))),
          ByteHash.hash(UnsafeRawBufferPointer(rebasing: bytes.suffix(length))),
          UInt64(bytes.count),
        ]
        return ends.withUnsafeBytes { ByteHash.hash32($0) }
      }
    }

    static func hash(_ data: Data) -> UInt32 { data.withUnsafeBytes { ByteHash.hash32($0) } }

    private static let sampleLength = 64
  }

  private struct Frame {
    var container: ContainerCursor
    /// The index in `references` of the reference to the first value.
    let firstReference: Int
    let object: UInt32
    let nodesBefore: Int
    /// The number of nested containers down to the deepest value so far.
    var height = 1

    /// The index in `references` of the reference to the current value.
    var reference: Int { firstReference + container.index }
  }

  /// The order and the references of keys, reused for later dictionaries with the same shape.
  /// Without them, writing the binary of `make counts` takes 44 % more instructions.
  private struct WrittenShape {
    let positions: [Int]?
    /// The index in `references` of the references to the keys in the first such dictionary.
    let firstReference: Int
    let nodeCount: Int
  }

  /// A container that need not be traversed when it occurs again.
  private struct WrittenContainer {
    let identity: ContainerIdentity
    let object: UInt32
    let nodeCount: Int
    /// The number of nested containers down to the deepest value.
    let height: Int

    /// Containers with fewer nodes cost less to traverse again than to remember.
    static let minimumNodeCount = 4
  }

  static func write(_ value: PlistValue, options: PlistWriteOptions) throws(PlistError) -> Data {
    var writer = BinaryPlistWriter(options: options)
    do throws(PlistError.Kind) {
      try writer.collectObjects(of: value)
      return try writer.assembleDocument()
    } catch {
      let path = writer.frames.map(\.container.component)
      throw PlistError(error, keyPath: PlistKeyPath(components: path))
    }
  }

  /// Returns the approximate size of a document in bytes; the work ends at the limit.
  static func size(of value: PlistValue, upTo limit: Int, options: PlistWriteOptions) -> Int {
    var options = options
    options.limits.maximumSize = limit
    var writer = BinaryPlistWriter(options: options)
    // If a value has an error, only the part before the error is counted.
    try? writer.collectObjects(of: value)
    return min(writer.leastSize, limit)
  }

  /// Returns the approximate size of a document in bytes, the number of its nodes, counting each
  /// occurrence, and whether it is deeper than documents may be.
  static func extent(of value: PlistValue) -> (size: Int, nodeCount: Int, isTooDeep: Bool) {
    var writer = BinaryPlistWriter(options: PlistWriteOptions())
    var isTooDeep = false
    // If a value has an error, only the part before the error is counted.
    do throws(PlistError.Kind) { try writer.collectObjects(of: value) } catch {
      if case .tooDeep = error { isTooDeep = true }
    }
    return (writer.leastSize, writer.nodes.count, isTooDeep)
  }

  private init(options: PlistWriteOptions) {
    self.options = options
    nodes = NodeCount(limits: options.limits)
  }

  /// The size of the document so far, if all its references and offsets take as few bytes as now.
  private var leastSize: Int {
    let numberSize = UInt64(starts.count).byteSize
    return leaves.count + longDataSize + (references.count - 1) * numberSize
      + starts.count * UInt64(leaves.count + references.count).byteSize
  }

  // MARK: Collecting objects

  private mutating func collectObjects(of root: PlistValue) throws(PlistError.Kind) {
    try addObject(for: root, to: 0)
    while var frame = frames.popLast() {
      // The frame is off the stack while its values are leaves, and pushed back for a container.
      while let value = frame.container.next() {
        let reference = frame.reference
        switch value {
        case .dictionary, .array, .set:
          frames.append(frame)
          try addObject(for: value, to: reference)
          frame = frames.removeLast()
        default:
          do throws(PlistError.Kind) {
            try addObject(for: value, to: reference)
          } catch {
            frames.append(frame)
            throw error
          }
        }
      }
      close(frame)
    }
  }

  /// Adds the object of a value, unless it equals an earlier one, and sets the reference to it.
  private mutating func addObject(
    for value: PlistValue, to reference: Int
  ) throws(PlistError.Kind) {
    try nodes.add(value)
    switch value {
    case .dictionary(let dictionary):
      let written = try addWritten(ContainerIdentity(dictionary))
      references[reference] = if let written { written } else { try open(dictionary) }
    case .array(let elements), .set(let elements):
      let kind = value.kind
      let written = try addWritten(ContainerIdentity(elements, isSet: kind == .set))
      references[reference] = if let written { written } else { try open(elements, kind: kind) }
    case .date(let date) where date.timeIntervalSinceReferenceDate.isNaN: throw .dateIsNaN
    default: references[reference] = addLeaf(value)
    }
  }

  private mutating func open(
    _ elements: [PlistValue], kind: PlistValue.Kind
  ) throws(PlistError.Kind) -> UInt32 {
    let object = try addContainer(kind, count: elements.count)
    push(ContainerCursor(elements, kind: kind), firstReference: object.first)
    return UInt32(object.object)
  }

  private mutating func open(_ dictionary: PlistDictionary) throws(PlistError.Kind) -> UInt32 {
    let shape = dictionary.shape
    let written = shapes[ObjectIdentifier(shape)]
    let container =
      if let written {
        ContainerCursor(dictionary, positions: written.positions)
      } else {
        ContainerCursor(dictionary, order: options.keyOrder)
      }
    let object = try addContainer(.dictionary, count: dictionary.count)
    push(container, firstReference: object.first + object.count)
    if let written {
      try nodes.add(written.nodeCount)
      for index in 0..<object.count {
        references[object.first + index] = references[written.firstReference + index]
      }
      return UInt32(object.object)
    }

    // Most keys are distinct, and so are their values.
    leafIndex.reserve(starts.count + object.references.count)
    var count = 0
    for index in 0..<object.count {
      let key = container.key(at: index)
      do throws(PlistError.Kind) {
        try nodes.add(key: key)
      } catch {
        frames[frames.count - 1].container.index = index
        throw error
      }
      count += NodeCount.count(ofKey: key)
      references[object.first + index] = addLeaf(.string(key))
    }
    shapes[ObjectIdentifier(shape)] = WrittenShape(
      positions: container.positions, firstReference: object.first, nodeCount: count)
    return UInt32(object.object)
  }

  private mutating func push(_ container: ContainerCursor, firstReference: Int) {
    frames.append(
      Frame(
        container: container, firstReference: firstReference,
        object: UInt32(starts.count - 1), nodesBefore: nodes.count - 1))
  }

  private mutating func addContainer(
    _ kind: PlistValue.Kind, count: Int
  ) throws(PlistError.Kind) -> DeferredObject {
    try options.limits.checkDepth(frames.count + 1)
    let object = DeferredObject(
      object: starts.count, kind: kind, first: references.count, count: count)
    references.append(contentsOf: repeatElement(0, count: object.references.count))
    guard leastSize <= options.limits.maximumSize, starts.count < UInt32.max else {
      throw .tooLarge(limit: options.limits.maximumSize)
    }
    starts.append(leaves.count)
    deferred.append(object)
    return object
  }

  // MARK: Shared containers

  /// Counts a container that has already been written, and returns the number of its object; nil if
  /// it is not known to have been written.
  @inline(__always)
  private mutating func addWritten(
    _ identity: ContainerIdentity?
  ) throws(PlistError.Kind) -> UInt32? {
    if writtenContainers.isEmpty { return nil }
    return try addRemembered(identity)
  }

  @inline(never)
  private mutating func addRemembered(
    _ identity: ContainerIdentity?
  ) throws(PlistError.Kind) -> UInt32? {
    guard let identity,
      let index = writtenContainerIndex.find(
        hash: identity.hash32, where: { writtenContainers[$0].identity == identity })
    else { return nil }
    let written = writtenContainers[index]
    try options.limits.checkDepth(frames.count + written.height)
    // The container itself has been counted.
    try nodes.add(written.nodeCount - 1)
    raiseHeight(toHold: written.height)
    return written.object
  }

  @inline(__always)
  private mutating func raiseHeight(toHold height: Int) {
    let last = frames.count - 1
    guard last >= 0, frames[last].height <= height else { return }
    frames[last].height = height + 1
  }

  /// Remembers a complete container, whose frame has been popped.
  private mutating func close(_ frame: Frame) {
    raiseHeight(toHold: frame.height)
    let nodeCount = nodes.count - frame.nodesBefore
    guard nodeCount >= WrittenContainer.minimumNodeCount, let identity = frame.container.identity
    else { return }
    writtenContainerIndex.insert(
      writtenContainers.count, hash: identity.hash32, capacity: writtenContainers.count + 1)
    writtenContainers.append(
      WrittenContainer(
        identity: identity, object: frame.object, nodeCount: nodeCount, height: frame.height))
  }

  // MARK: Leaves

  /// Returns the number of the object of a leaf, which is a new object unless there is one with the
  /// same bytes.
  @inline(__always)
  private mutating func addLeaf(_ value: PlistValue) -> UInt32 {
    if let storage = StorageIdentity(value) { return add(value, in: storage) }
    return internLeaf(value)
  }

  @inline(never)
  private mutating func add(_ value: PlistValue, in storage: StorageIdentity) -> UInt32 {
    if let object = objectsByStorage[storage] { return object }
    let object: UInt32 =
      if case .data(let data) = value { internLongData(data) } else { internLeaf(value) }
    objectsByStorage[storage] = object
    return object
  }

  /// Returns the number of the object of long data, which is a new object unless there is equal
  /// data.
  private mutating func internLongData(_ data: Data) -> UInt32 {
    let next = longData.count
    var isIndexed = false
    var index = longDataSamples.findOrInsert(next, hash: LongData.sample(data)) { _ in true }
    if index != next {
      if !longData[index].isIndexed {
        longData[index].isIndexed = true
        longDataContents.insert(index, hash: LongData.hash(longData[index].data), capacity: next)
      }
      isIndexed = true
      index = longDataContents.findOrInsert(next, hash: LongData.hash(data)) {
        longData[$0].data == data
      }
    }
    if index == next {
      let object = starts.count
      deferred.append(DeferredObject(object: object, kind: .data, first: next, count: data.count))
      longData.append(LongData(data: data, object: object, isIndexed: isIndexed))
      longDataSize += data.count
      starts.append(leaves.count)
    }
    return UInt32(longData[index].object)
  }

  /// Encodes a leaf, and keeps its bytes as a new object unless an earlier one has them.
  @inline(__always)
  private mutating func internLeaf(_ value: PlistValue) -> UInt32 {
    let start = leaves.count
    leaves.append(leaf: value)
    let bytes = leaves.bytes
    let new = UnsafeRawBufferPointer(rebasing: bytes[start...])
    let next = starts.count
    let object = starts.withUnsafeBufferPointer { starts in
      leafIndex.findOrInsert(next, hash: ByteHash.hash32(new)) { object in
        let end = object + 1 < next ? starts[object + 1] : start
        return end - starts[object] == new.count
          && memcmp(bytes.baseAddress! + starts[object], new.baseAddress!, new.count) == 0
      }
    }
    if object == next { starts.append(start) } else { leaves.truncate(to: start) }
    return UInt32(object)
  }

  // MARK: Writing

  /// Returns the document, which replaces the leaves in memory.
  private mutating func assembleDocument() throws(PlistError.Kind) -> Data {
    // CoreFoundation never writes 256 objects with references of one byte, although it reads them.
    let referenceSize = UInt64(starts.count).byteSize
    let tableOffset =
      BinaryTrailer.header.utf8.count + leaves.count
      + deferred.reduce(0) { $0 + $1.size(referenceSize: referenceSize) }
    let trailer = BinaryTrailer(
      offsetSize: UInt64(tableOffset).byteSize, referenceSize: referenceSize,
      objectCount: starts.count, topObject: 0, tableOffset: tableOffset)
    let size = tableOffset + starts.count * trailer.offsetSize + BinaryTrailer.length
    if size > options.limits.maximumSize { throw .tooLarge(limit: options.limits.maximumSize) }

    // The indices are not needed any more.
    leafIndex = HashIndex()
    writtenContainerIndex = HashIndex()
    var output = OutputBuffer(capacity: 0)
    swap(&output, &leaves)
    let moved = output.rewind(movingBytesTo: tableOffset, capacity: size)
    output.append(BinaryTrailer.header)
    writeObjects(leavesAt: moved, referenceSize: referenceSize, to: &output)
    writeOffsetTable(trailer, to: &output)
    trailer.write(to: &output)
    return output.data()
  }

  /// Writes the deferred objects and, from their place in the output, the leaves between them.
  private func writeObjects(
    leavesAt moved: Range<Int>, referenceSize: Int, to output: inout OutputBuffer
  ) {
    var position = moved.lowerBound
    for object in deferred {
      let end = moved.lowerBound + starts[object.object]
      output.appendMoved(position..<end)
      position = end
      output.append(marker: object.marker, count: object.count)
      if object.kind == .data { output.append(longData[object.first].data) }
      for reference in references[object.references] {
        output.append(bigEndian: UInt64(reference), size: referenceSize)
      }
    }
    output.appendMoved(position..<moved.upperBound)
  }

  private func writeOffsetTable(_ trailer: BinaryTrailer, to output: inout OutputBuffer) {
    // The bytes before an object other than leaves: the header and the deferred objects.
    var before = BinaryTrailer.header.utf8.count
    var next = deferred[...]
    for (object, start) in starts.enumerated() {
      output.append(bigEndian: UInt64(before + start), size: trailer.offsetSize)
      if let first = next.first, first.object == object {
        before += first.size(referenceSize: trailer.referenceSize)
        next.removeFirst()
      }
    }
  }
}
