@testable import FileStorage
import Foundation
import TestSupport
import Testing

@Suite("A file's lock")
struct FileLockTests {
  private let temporary: TemporaryFolder
  private let folder: Folder

  init() throws {
    temporary = try TemporaryFolder()
    folder = try Folder(temporary.path)
  }

  private func lock(_ timeout: Duration = .milliseconds(50)) throws(FileSystemError) -> FileLock {
    try FileLock(on: "file", in: folder, for: .replacement, timeout: timeout)
  }

  /// Returns whether the lock is free.
  private func isFree() -> Bool {
    do throws(FileSystemError) {
      try lock().release(keepingFile: true)
      return true
    } catch {
      #expect(
        "\(error)"
          == "the file was still locked after 50 milliseconds (lock file .file.lock)")
      return false
    }
  }

  @Test("has one holder at a time, within a process too")
  func exclusive() throws {
    let first = try lock()
    #expect(!isFree())
    first.release(keepingFile: true)
    #expect(isFree())
    #expect(try temporary.names() == [".file.lock"])
  }

  @Test("leaves its file in place on request only")
  func file() throws {
    try lock().release(keepingFile: false)
    #expect(try temporary.names() == [])
    try lock().release(keepingFile: true)
    #expect(try temporary.names() == [".file.lock"])
    try lock().release(keepingFile: false)
    #expect(try temporary.names() == [])
  }

  @Test("leaves its file to those who wait for it")
  func awaitedFile() throws {
    let holder = try lock()
    let number = try #require(temporary.status(".file.lock")?.st_ino)
    let found = Recorder<UInt64?>()
    let waiting = TestThread { [self] in
      guard let next = try? lock(.seconds(60)) else { return }
      found.record(temporary.status(".file.lock").map { UInt64($0.st_ino) })
      next.release(keepingFile: false)
    }
    let locks = ByteLocks(of: try folder.open(".file.lock", flags: O_RDWR))
    #expect(eventually { (try? locks.foreignLock(in: 1...1)) != nil })
    holder.release(keepingFile: false)
    #expect(waiting.join())
    #expect(found.all == [UInt64(number)])
    #expect(try temporary.names() == [])
  }

  @Test("leaves a lock file that others have put in the place of its own")
  func foreignFile() throws {
    let holder = try lock()
    #expect(unlink(temporary.path(".file.lock")) == 0)
    let other = try lock()
    holder.release(keepingFile: false)
    #expect(try temporary.names() == [".file.lock"])
    #expect(!isFree())
    other.release(keepingFile: false)
    #expect(try temporary.names() == [])
  }

  @Test("is free after its holder is gone")
  func goneHolder() throws {
    // The same as the end of a process: its descriptors are closed.
    _ = try lock()
    #expect(isFree())
  }

  @Test("is taken on the new lock file if the holder has removed the old one")
  func removedFile() async throws {
    let holder = try lock()
    let waiting = Task.detached { [self] in
      try lock(.seconds(60)).release(keepingFile: true)
      return true
    }
    let locks = ByteLocks(of: try folder.open(".file.lock", flags: O_RDWR))
    #expect(try await eventually { try locks.foreignLock(in: 1...1) != nil })
    #expect(unlink(temporary.path(".file.lock")) == 0)
    holder.release(keepingFile: false)
    #expect(try await waiting.value)
    #expect(try temporary.names() == [".file.lock"])
  }

  @Test("is exclusive among threads that create and remove its file")
  func manyThreads() async throws {
    let temporary = temporary
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            try AtomicFile(temporary.path("file")).update(timeout: .seconds(60)) { present in
              let count =
                present.contents.flatMap { Int(String(decoding: $0.data, as: UTF8.self)) } ?? 0
              return Data("\(count + 1)".utf8)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try temporary.text("file") == "200")
    #expect(try temporary.names() == ["file"])
  }

  @Test(
    "can be taken by users who may write the file, and by no others",
    arguments: [(0o600, 0o600), (0o644, 0o600), (0o640, 0o600), (0o664, 0o660), (0o666, 0o666)]
      as [(mode_t, mode_t)])
  func permissions(file: mode_t, expected: mode_t) throws {
    try temporary.write("x", to: "file")
    #expect(chmod(temporary.path("file"), file) == 0)
    if getuid() == 0 { #expect(chown(temporary.path("file"), 12, 34) == 0) }
    try lock().release(keepingFile: true)
    let information = try #require(temporary.status(".file.lock"))
    #expect(information.st_mode & 0o777 == expected)
    if getuid() == 0 { #expect((information.st_uid, information.st_gid) == (12, 34)) }
  }

  @Test("follows the permissions of a file that are changed later")
  func laterPermissions() throws {
    try temporary.write("x", to: "file")
    for (file, expected) in [(0o600, 0o600), (0o664, 0o660), (0o644, 0o600)] as [(mode_t, mode_t)] {
      #expect(chmod(temporary.path("file"), file) == 0)
      try lock().release(keepingFile: true)
      #expect(try #require(temporary.status(".file.lock")).st_mode & 0o777 == expected)
    }
  }
}

extension TemporaryFolder {
  /// The status of a file; nil if there is no such file.
  fileprivate func status(_ name: String) -> stat? {
    var information = stat()
    return stat(path(name), &information) == 0 ? information : nil
  }
}
