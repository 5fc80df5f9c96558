import Testing

@testable import PropertyList

@Suite("Hashes of bytes")
struct ByteHashTests {
  @Test(
    "depend on the contents, not on their alignment", arguments: [0, 1, 7, 8, 9, 255, 256, 300])
  func contents(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 3 * $0) }
    let moved = [1, 2, 3] + bytes
    let hash = bytes.withUnsafeBytes { ByteHash.hash($0) }
    let again = moved.withUnsafeBytes {
      ByteHash.hash(UnsafeRawBufferPointer(rebasing: $0.dropFirst(3)))
    }
    #expect(hash == again)
    #expect(hash != bytes.withUnsafeBytes { ByteHash.hash($0, seed: ByteHash.seed ^ 1) })
  }

  @Test(
    "differ if a byte, the order or the length differs",
    arguments: [31, 32, 64, 255, 256, 257, 287, 288, 300, 512])
  func differences(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 8) }
    var hashes: Set = [
      hash(bytes), hash(bytes.reversed()), hash(bytes + [0]), hash(bytes.dropLast()),
    ]
    for position in bytes.indices {
      var changed = bytes
      changed[position] ^= 0x80
      hashes.insert(hash(changed))
    }
    #expect(hashes.count == count + 4)
  }

  private func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    Array(bytes).withUnsafeBytes { ByteHash.hash($0, seed: 5) }
  }
}
