import Foundation
import TestSupport
import Testing

@testable import FileStorage

/// Two holders of the lock of one file, as there can be after the lock file was removed.
@Suite("A file with two lock holders")
struct TwoHoldersTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("file") }

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("old", to: "file")
  }

  private func lock() throws -> LockedFile {
    let file = try AtomicFile(path).lock(keepsLockFile: true)
    try FileManager.default.removeItem(atPath: folder.path(".file.lock"))
    return file
  }

  @Test("tells the second that its contents are based on old ones")
  func staleReplacement() throws {
    var first = try lock()
    var second = try lock()
    let expected = try first.identity().map { FileVersion(identity: $0, fingerprint: nil) }
    #expect(try first.replace(expected, with: Data("first".utf8), isPrivate: false) != nil)
    #expect(try second.replace(expected, with: Data("second".utf8), isPrivate: false) == nil)
    #expect(try folder.text("file") == "first")
    #expect(try folder.names() == ["file"])
  }

  @Test("never gets the incomplete contents of the other")
  func incomplete() throws {
    let folder = try Folder(folder.path)
    let first = try TemporaryFile(
      replacing: "file", in: folder, mode: 0o600, lock: FolderLock(folder))
    let second = try TemporaryFile(
      replacing: "file", in: folder, mode: 0o600, lock: FolderLock(folder))
    #expect(first.name == ".file.new")
    #expect(second.name.wholeMatch(of: /\.file-[0-9a-f]{16}\.new/) != nil)
    try first.descriptor.writeAll(Data("first".utf8))
    #expect(try first.rename(to: "file", size: 5) != nil)
    #expect(try self.folder.text("file") == "first")
    #expect(try second.isNamed(size: 0))
    #expect(try !first.isNamed(size: 5))
    try second.remove()
    #expect(try self.folder.names() == ["file"])
  }

  @Test("counts only the file that is at the path in the end as written")
  func replacedAfterwards() throws {
    let folder = try Folder(folder.path)
    let file = try TemporaryFile(
      replacing: "file", in: folder, mode: 0o600, lock: FolderLock(folder))
    // A file that another program puts under the name of the temporary file is not used.
    try self.folder.write("other", to: "other")
    #expect(rename(self.folder.path("other"), self.folder.path(file.name)) == 0)
    #expect(try !file.isNamed(size: 0))
    #expect(try file.rename(to: "file", size: 0) == nil)
  }

  @Test("is written in a folder that another program keeps locked, without leaving anything")
  func lockedFolder() throws {
    let other = try Descriptor.open(folder.path, flags: O_RDONLY | O_DIRECTORY)
    #expect(flock(other.number, LOCK_EX) == 0)
    let used = try Folder(folder.path)
    let inUse = try TemporaryFile(replacing: "file", in: used, mode: 0o600, lock: FolderLock(used))
    let names = [".file-0123456789abcdef.new", ".file-0123456789abcdeg.new", ".file-0.new"]
    for name in names { try folder.write("left", to: name) }
    try AtomicFile.write(Data("new".utf8), to: path)
    #expect(try folder.text("file") == "new")
    #expect(try folder.names() == (names.dropFirst() + [inUse.name, "file"]).sorted())
    try inUse.remove()
  }
}
