package import FoundationEssentials
internal import Glibc
internal import Threading

/// A version of a file: its state, and a hash of its bytes.
package struct FileVersion: Sendable {
  package var identity: FileIdentity
  /// The hash; nil if the bytes are not known.
  let fingerprint: UInt64?
}

/// The contents of a file at one moment.
package struct FileContents: Sendable {
  package var data: Data
  /// The state of the file that held them.
  package var identity: FileIdentity

  /// The version, which identifies the same contents later.
  package var version: FileVersion {
    FileVersion(identity: identity, fingerprint: Fingerprint.hash(data))
  }
}

/// The result of reading a file unless it still holds a known version.
package enum ConditionalRead: Sendable {
  /// There is no file.
  case missing
  /// The file holds the same bytes, in this state.
  case unchanged(FileVersion)
  /// The file holds other bytes.
  case contents(FileContents)

  /// The bytes that were read; nil if there is no file, or it is unchanged.
  package var contents: FileContents? {
    if case .contents(let contents) = self { contents } else { nil }
  }

  /// The state of the file; nil if there is none.
  package var identity: FileIdentity? {
    switch self {
    case .missing: nil
    case .unchanged(let version): version.identity
    case .contents(let contents): contents.identity
    }
  }

  /// The version of the file; nil if there is none.
  package var version: FileVersion? {
    switch self {
    case .missing: nil
    case .unchanged(let version): version
    case .contents(let contents): contents.version
    }
  }
}

/// A hash that tells contents of files apart within a process.
enum Fingerprint {
  /// Contents are hashed in pieces of this size, the last one excepted.
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
