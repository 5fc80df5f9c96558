import Foundation
import TestSupport
import Testing

@testable import FileStorage

/// The lock protocol of other versions of the library, implemented in another language. A change to
/// this lets old and new programs on one machine lose each other's keys.
@Suite("The lock that versions of the library share")
struct LockProtocolTests {
  private let temporary: TemporaryFolder
  private let folder: Folder

  init() throws {
    temporary = try TemporaryFolder()
    folder = try Folder(temporary.path)
  }

  /// For the word `hold`, locks the first byte of `.file.lock` with an open file description lock,
  /// prints whether that succeeded, and keeps the lock until its input ends.
  private static let peer = """
    import fcntl, os, struct, sys
    file = os.open(".file.lock", os.O_RDWR | os.O_CREAT, 0o600)
    lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0)
    try:
      fcntl.fcntl(file, 37, lock)  # F_OFD_SETLK
      print("locked", flush=True)
    except BlockingIOError:
      print("busy", flush=True)
    sys.stdin.read()
    """

  private func start() throws -> (process: Process, input: Pipe, answer: String) {
    let (process, input, output) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.peer]
    process.currentDirectoryURL = URL(fileURLWithPath: temporary.path)
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var answer = Data()
    while answer.last != UInt8(ascii: "\n") {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      answer += more
    }
    return (process, input, String(decoding: answer, as: UTF8.self))
  }

  private func end(_ peer: (process: Process, input: Pipe, answer: String)) throws {
    try peer.input.fileHandleForWriting.close()
    peer.process.waitUntilExit()
  }

  @Test("A holder that is another program is waited for")
  func foreignHolder() throws {
    let peer = try start()
    #expect(peer.answer == "locked\n")
    #expect(throws: FileSystemError.self) {
      try FileLock(on: "file", in: folder, for: .replacement, timeout: .milliseconds(50)).release(
        keepingFile: true)
    }
    try end(peer)
    try FileLock(on: "file", in: folder, for: .replacement, timeout: .seconds(60)).release(
      keepingFile: true)
  }

  @Test("Another program is kept out")
  func ownHolder() throws {
    let lock = try FileLock(on: "file", in: folder, for: .replacement, timeout: .seconds(60))
    let peer = try start()
    #expect(peer.answer == "busy\n")
    lock.release(keepingFile: true)
    try end(peer)
  }
}
