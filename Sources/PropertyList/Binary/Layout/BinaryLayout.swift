package import FoundationEssentials

/// The layout of a binary property list: the objects, the offset table, and the unused bytes. The
/// document need not be valid. Objects whose offset or length is not valid have no bytes.
package struct BinaryLayout: Sendable {
  package struct Object: Sendable, Hashable {
    package let range: Range<Int>?
    /// The byte with the type; nil if the offset is not valid.
    package let marker: UInt8?
    package fileprivate(set) var isReachable = false
  }

  package private(set) var objects: [Object] = []
  package let topObject: Int
  package let table: Range<Int>
  package let sizes: (offset: Int, reference: Int)
  /// The bytes between the header and the offset table in no object, in order.
  package private(set) var gaps: [Range<Int>] = []

  private let data: Data

  package static let headerLength = BinaryTrailer.header.utf8.count

  package init?(_ data: Data) {
    let data = data.startIndex == 0 ? data : Data(data)
    guard !data.isEmpty,
      let trailer = try? BinaryObjects.withObjects(of: data, { $0.trailer }),
      trailer.objectCount < Int32.max
    else { return nil }
    self.data = data
    topObject = trailer.topObject
    table = trailer.tableOffset..<data.count - BinaryTrailer.length
    sizes = (trailer.offsetSize, trailer.referenceSize)
    objects = Self.withObjects(of: data) { objects in
      (0..<trailer.objectCount).map { Self.object($0, of: objects) }
    }
    findReachable()
    findGaps(in: trailer.objectArea)
  }

  /// Calls the closure with the objects of a document, whose trailer is valid.
  private static func withObjects<Result>(
    of data: Data, _ body: (BinaryObjects<BytesInMemory>) -> Result
  ) -> Result {
    do throws(PlistError) {
      return try BinaryObjects.withObjects(of: data) { objects throws(PlistError) in body(objects) }
    } catch {
      preconditionFailure("a trailer that was valid")
    }
  }

  private static func object(_ number: Int, of objects: BinaryObjects<BytesInMemory>) -> Object {
    guard let offset = try? objects.checkedOffset(of: number) else {
      return Object(range: nil, marker: nil)
    }
    let marker = objects.bytes[offset]
    var end: Int?
    switch BinaryMarker.type(of: marker) {
    case BinaryMarker.data, BinaryMarker.asciiString, BinaryMarker.utf16String, BinaryMarker.array,
      BinaryMarker.set, BinaryMarker.dictionary:
      end = (try? objects.payload(at: offset))?.range.upperBound
    default:
      let size = BinaryMarker.scalarSize(marker)
      if (try? objects.checkSize(size, at: offset)) != nil { end = offset + 1 + size }
    }
    return Object(range: end.map { offset..<$0 }, marker: marker)
  }

  /// In dictionaries with repeated keys and more members than this, the members are not looked up.
  private static let lookUpLimit = 1000

  /// The numbers of the objects in a container, in the order of the value that was read from the
  /// document.
  ///
  /// - Parameter count: The number of members of the value. It is smaller than the object's if keys
  ///   are repeated.
  /// - Returns: The numbers; nil where they are ambiguous. Elements have no keys.
  package func members(
    of object: Int, keys: some Collection<String>, count: Int
  ) -> [(key: Int?, value: Int)]? {
    Self.withObjects(of: data) { objects in
      let references = references(of: object, in: objects)
      guard let marker = self.objects[object].marker,
        BinaryMarker.type(of: marker) == BinaryMarker.dictionary
      else { return references.count == count ? references.map { (nil, $0) } : nil }
      if references.count == 2 * count {
        return zip(references.prefix(count), references.suffix(count)).map { ($0, $1) }
      }
      guard count <= Self.lookUpLimit, references.count <= 2 * Self.lookUpLimit else { return nil }
      let values = keys.compactMap { key in try? objects.object(forKey: key, in: object) }
      return values.count == count ? values.map { (nil, $0) } : nil
    }
  }

  /// The numbers of the objects that a container refers to; for a dictionary, first the keys and
  /// then the values.
  private func references(of object: Int, in objects: BinaryObjects<BytesInMemory>) -> [Int] {
    guard let range = self.objects[object].range, let marker = self.objects[object].marker,
      BinaryMarker.containerKind(marker) != nil,
      let payload = try? objects.payload(at: range.lowerBound)
    else { return [] }
    let count = payload.range.count / sizes.reference
    return (0..<count).compactMap { try? objects.reference($0, from: payload.start) }
  }

  private mutating func findReachable() {
    let isReachable = Self.withObjects(of: data) { objects in
      var isReachable = Array(repeating: false, count: self.objects.count)
      var remaining = [topObject]
      // References of objects that overlap could take forever to follow; no valid document has
      // them.
      var budget = PayloadBudget(objects.trailer)
      isReachable[topObject] = true
      while let next = remaining.popLast() {
        let references = references(of: next, in: objects)
        guard budget.spend(references.count * sizes.reference) else { break }
        for object in references where !isReachable[object] {
          isReachable[object] = true
          remaining.append(object)
        }
      }
      return isReachable
    }
    for object in objects.indices { objects[object].isReachable = isReachable[object] }
  }

  private mutating func findGaps(in area: Range<Int>) {
    var position = area.lowerBound
    for range in objects.compactMap(\.range).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > position { gaps.append(position..<range.lowerBound) }
      position = max(position, range.upperBound)
    }
    if position < area.upperBound { gaps.append(position..<area.upperBound) }
  }
}
