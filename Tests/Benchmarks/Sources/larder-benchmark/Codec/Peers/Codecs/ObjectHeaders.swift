import Foundation

/// The limit of reading binary documents: loading the offset and the first byte of every object.
struct ObjectHeaders: Codec {
  static func supports(_ operation: CodecOperation) -> Bool { operation == .readBinary }

  func work(_ operation: CodecOperation, _ data: Data) -> () throws -> Void {
    { consume(data.withUnsafeBytes(Self.touch)) }
  }

  /// - Parameter bytes: A valid document.
  private static func touch(_ bytes: UnsafeRawBufferPointer) -> Int {
    let trailer = bytes.count - 32
    let offsetSize = Int(bytes[trailer + 6])
    let count = integer(bytes, at: trailer + 8, size: 8)
    let table = integer(bytes, at: trailer + 24, size: 8)
    var sum = 0
    for index in 0..<count {
      let offset = integer(bytes, at: table + index * offsetSize, size: offsetSize)
      sum &+= Int(bytes[offset])
    }
    return sum
  }

  @inline(__always)
  private static func integer(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, size: Int
  ) -> Int {
    var value = 0
    for index in offset..<offset + size { value = value << 8 | Int(bytes[index]) }
    return value
  }
}
