internal import FoundationEssentials
internal import Glibc
internal import Threading
internal import Threading

/// A fast, non-cryptographic hash that tells contents of files apart within a process.
struct Fingerprint {
  private var lanes: SIMD4<UInt64> = [
    0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB, 0x8EBC_6AF0_9C88_C6E3, 0x5899_65CC_7537_4CC3,
  ]
  private var count = 0

  /// The number of bytes that are hashed at a time.
  private static let block = 32

  /// Returns the hash of data.
  static func hash(_ data: Data) -> UInt64 {
    var fingerprint = Fingerprint()
    data.withUnsafeBytes { fingerprint.add($0) }
    return fingerprint.value
  }

  /// Returns the hash of a file from its current offset to the end.
  static func hash(_ file: Descriptor) throws(FileSystemError) -> UInt64 {
    let size = 256 << 10
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
    defer { buffer.deallocate() }
    var fingerprint = Fingerprint()
    var filled = 0
    while true {
      let received = ForkGate.shared.allowingForks {
        read(file.number, buffer.baseAddress! + filled, size - filled)
      }
      if received < 0 && errno == EINTR { continue }
      guard received >= 0 else { throw FileSystemError(.read) }
      filled += received
      // Only the last piece may end with an incomplete block.
      guard filled == size || received == 0 else { continue }
      fingerprint.add(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
      if received == 0 { return fingerprint.value }
      filled = 0
    }
  }

  /// Adds bytes: complete blocks, except at the end.
  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    var (a, b, c, d) = (lanes[0], lanes[1], lanes[2], lanes[3])
    var position = 0
    while position + Self.block <= bytes.count {
      let words = start + position
      a = Self.mix(a, words.loadUnaligned(as: UInt64.self))
      b = Self.mix(b, words.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      c = Self.mix(c, words.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
      d = Self.mix(d, words.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
      position += Self.block
    }
    while position < bytes.count {
      a = Self.mix(a, UInt64(bytes[position]))
      position += 1
    }
    lanes = [a, b, c, d]
    count += bytes.count
  }

  private var value: UInt64 {
    Self.mix(Self.mix(lanes[0], lanes[1]), Self.mix(lanes[2], lanes[3]) ^ UInt64(count))
  }

  /// Folds a 128-bit product, as wyhash does.
  @inline(__always)
  private static func mix(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = (one ^ 0x2D35_8DCC_AA6C_78A5).multipliedFullWidth(
      by: other ^ 0x8BB8_4B93_962E_ACC9)
    return product.high ^ product.low ^ one
  }
}
