/// The payload of a string, data or container: the bytes after the marker and the length.
struct BinaryPayload {
  let start: Int
  /// The number of elements: bytes, UTF-16 code units, references or pairs of references.
  let count: Int
  /// The size of an element in bytes.
  let elementSize: Int

  var range: Range<Int> { start..<start + count * elementSize }
}

/// The total size that the payloads of a document's objects may still have.
///
/// Payloads fit in the object area unless objects overlap. A few may overlap, but all payloads
/// together are limited to twice the area, so that a file cannot describe far more than it holds.
struct PayloadBudget {
  private var remaining: Int

  init(_ trailer: BinaryTrailer) {
    remaining = 2 * trailer.objectArea.count
  }

  /// Deducts a number of bytes and returns true, or changes nothing and returns false if fewer
  /// remain.
  @inline(__always)
  mutating func spend(_ count: Int) -> Bool {
    guard count <= remaining else { return false }
    remaining -= count
    return true
  }

  /// Deducts the payload of the object at an offset.
  ///
  /// - Throws: `overlappingObjects` if fewer bytes remain.
  mutating func spend(_ payload: BinaryPayload, at offset: Int) throws(PlistError) {
    guard spend(payload.range.count) else {
      throw PlistError(.overlappingObjects, at: .byte(offset))
    }
  }
}
