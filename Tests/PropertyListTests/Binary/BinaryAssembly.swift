import Foundation

/// A binary property list assembled by hand. Every field can be wrong.
struct BinaryAssembly {
  var header = Array("bplist00".utf8)
  var objects: [[UInt8]]
  var offsetSize = 1
  var referenceSize = 1
  var topObject: UInt64 = 0
  /// Values for the trailer and the offset table other than the correct ones.
  var objectCount: UInt64?
  var tableOffset: UInt64?
  var offsets: [Int: UInt64] = [:]
  var trailing: [UInt8] = []

  init(_ objects: [[UInt8]]) {
    self.objects = objects
  }

  var data: Data {
    var bytes = header
    var table: [UInt8] = []
    for (index, object) in objects.enumerated() {
      table += Self.bigEndian(offsets[index] ?? UInt64(bytes.count), size: offsetSize)
      bytes += object
    }
    let offset = UInt64(bytes.count)
    bytes += table
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    bytes += Self.bigEndian(objectCount ?? UInt64(objects.count), size: 8)
    bytes += Self.bigEndian(topObject, size: 8)
    bytes += Self.bigEndian(tableOffset ?? offset, size: 8)
    return Data(bytes + trailing)
  }

  static func bigEndian(_ number: UInt64, size: Int) -> [UInt8] {
    (0..<size).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * $0)) : 0 }
  }

  /// Returns a string object of fewer than 15 ASCII characters.
  static func string(_ text: String) -> [UInt8] {
    [0x50 | UInt8(text.utf8.count)] + text.utf8
  }
}
