package import FoundationEssentials

/// Where everything is in a binary property list: the objects, the offset table, and the bytes that
/// belong to nothing. The document need not be valid. Objects whose offset or length is not valid
/// have no bytes.
package struct BinaryPlistMap: Sendable {
  /// An object of the offset table.
  package struct Object: Sendable, Hashable {
    /// The bytes of the object with its marker and length; nil if they cannot be told.
    package let range: Range<Int>?
    /// The byte that tells the type; nil if the offset is not valid.
    package let marker: UInt8?
    /// Whether the top object, or what it leads to, refers to the object.
    package fileprivate(set) var isReachable = false
  }

  package private(set) var objects: [Object] = []
  package let topObject: Int
  /// The bytes of the offset table.
  package let table: Range<Int>
  /// The number of bytes of an offset, and of a reference.
  package let sizes: (offset: Int, reference: Int)
  /// The bytes between the header and the offset table in no object, in order.
  package private(set) var gaps: [Range<Int>] = []

  private let data: Data

  package static let headerLength = BinaryTrailer.header.utf8.count

  /// Finds the objects of a document; nil if its trailer is not valid.
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
    of data: Data, _ body: (BinaryObjects) -> Result
  ) -> Result {
    do throws(PlistError) {
      return try BinaryObjects.withObjects(of: data) { objects throws(PlistError) in body(objects) }
    } catch {
      preconditionFailure("a trailer that was valid")
    }
  }

  private static func object(_ number: Int, of objects: BinaryObjects) -> Object {
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

  /// The number of members of a dictionary with repeated keys above which they are not looked up.
  private static let lookUpLimit = 1000

  /// The numbers of the objects in a container, in the order a value that was read from
  /// the document has them.
  ///
  /// - Parameter count: The number of members of the value. Where keys are repeated it is smaller
  ///   than that of the object.
  /// - Returns: The numbers; nil where they cannot be told. Elements have no keys.
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

  /// The numbers of the objects that a container refers to: of a dictionary the keys, then the
  /// values.
  private func references(of object: Int, in objects: BinaryObjects) -> [Int] {
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
