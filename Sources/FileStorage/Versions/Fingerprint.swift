internal import FoundationEssentials
internal import Glibc
internal import Threading

/// A fast, non-cryptographic hash that tells contents of files apart within a process.
struct Fingerprint {
  private var state: UInt64 = 0xA076_1D64_78BD_642F
  private var count = 0

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
      // Only the last piece may end with an incomplete word.
      guard filled == size || received == 0 else { continue }
      fingerprint.add(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
      if received == 0 { return fingerprint.value }
      filled = 0
    }
  }

  /// Adds bytes: complete words, except at the end.
  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    let wordsEnd = bytes.count & ~7
    for offset in stride(from: 0, to: wordsEnd, by: 8) {
      mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    for byte in bytes[wordsEnd...] { mix(UInt64(byte)) }
    count += bytes.count
  }

  private var value: UInt64 {
    var last = self
    last.mix(UInt64(count))
    return last.state
  }

  /// Folds a 128-bit product, as wyhash does.
  @inline(__always)
  private mutating func mix(_ word: UInt64) {
    let product = (state ^ 0x2D35_8DCC_AA6C_78A5).multipliedFullWidth(
      by: word ^ 0x8BB8_4B93_962E_ACC9)
    state = product.high ^ product.low ^ state
  }
}
