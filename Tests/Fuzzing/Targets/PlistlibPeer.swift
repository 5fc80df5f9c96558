import Foundation
import Glibc
import PropertyList
import Synchronization

/// A Python process that reads documents with plistlib and json, one after another.
package final class PlistlibPeer: Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let lock = Mutex(())

  /// The script that the process runs, which also reads and writes whole folders.
  package static let script = Bundle.module.bundleURL.appending(path: "plistlib-peer.py").path

  /// Starts the process.
  init() throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", Self.script, "serve"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// The result of the peer: the value, or the name of its exception in ``TypedText/error``.
  func read(_ data: Data, as format: PlistFormat) throws -> TypedText {
    try lock.withLock { _ in
      try send([UInt8]("\(format) \(data.count)\n".utf8) + data)
      let length = try receive(4).reduce(0) { $0 << 8 | Int($1) }
      return TypedText(text: String(decoding: try receive(length), as: UTF8.self))
    }
  }

  // By system calls, since libFuzzer's timer interrupts them and file handles do not try again.

  private func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        write(input.fileHandleForWriting.fileDescriptor, $0.baseAddress, $0.count)
      }
      sent += try Self.checked(count)
    }
  }

  private func receive(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var received = 0
    while received < count {
      let more = bytes[received...].withUnsafeMutableBytes {
        Glibc.read(output.fileHandleForReading.fileDescriptor, $0.baseAddress, $0.count)
      }
      if more == 0 { throw POSIXError(.EPIPE) }
      received += try Self.checked(more)
    }
    return bytes
  }

  /// The number of bytes that a system call has moved; none if a signal interrupted it.
  private static func checked(_ count: Int) throws -> Int {
    if count >= 0 { return count }
    guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return 0
  }
}
