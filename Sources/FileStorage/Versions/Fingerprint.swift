internal import FoundationEssentials
internal import Glibc
internal import Threading

/// A hash that distinguishes contents of files within a process.
enum Fingerprint {
  /// Contents are hashed in pieces of this size; the last one may be smaller.
  private static let pieceSize = 256 << 10

  static func hash(_ data: Data) -> UInt64 {
    var hasher = Hasher()
    data.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: pieceSize) {
        let end = min(start + pieceSize, bytes.count)
        hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      }
    }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  /// Returns the hash of a file from its current offset to the end.
  static func hash(_ file: Descriptor) throws(FileSystemError) -> UInt64 {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 64)
    defer { buffer.deallocate() }
    var hasher = Hasher()
    var filled = 0
    while true {
      let received = ForkGate.shared.allowingForks {
        read(file.number, buffer.baseAddress! + filled, pieceSize - filled)
      }
      if received < 0 && errno == EINTR { continue }
      guard received >= 0 else { throw FileSystemError(.read) }
      filled += received
      guard filled == pieceSize || received == 0 else { continue }
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
      if received == 0 { return UInt64(bitPattern: Int64(hasher.finalize())) }
      filled = 0
    }
  }
}
