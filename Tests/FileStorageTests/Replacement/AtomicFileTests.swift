import CLinuxFile
@testable import FileStorage
import Foundation
import TestSupport
import Testing

@Suite("An atomic file")
struct AtomicFileTests {
  private let temporary: TemporaryFolder
  private var folder: String { temporary.path }

  init() throws {
    temporary = try TemporaryFolder()
  }

  private func names() throws -> [String] { try temporary.names() }

  private func content(_ path: String) throws -> String {
    String(decoding: try AtomicFile.read(path), as: UTF8.self)
  }

  private func status(_ path: String) -> stat {
    var information = stat()
    #expect(stat(path, &information) == 0)
    return information
  }

  private func mode(_ path: String) -> mode_t { status(path).st_mode & 0o7777 }

  @Test("is read whole, unless it is larger than allowed")
  func reading() throws {
    let path = folder + "/file"
    let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(try AtomicFile.read(path) == bytes)
    #expect(try AtomicFile.read(path, limit: 100_000) == bytes)
    #expect(
      errorText { _ = try AtomicFile.read(path, limit: 99_999) }
        == "the file is larger than 99999 bytes")
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(try AtomicFile.read(path) == Data())
  }

  @Test("is read from a pipe, whose size is unknown")
  func pipe() throws {
    let path = folder + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let bytes = Data(repeating: 0x61, count: 300_000)
    let writer = Thread {
      let handle = FileHandle(forWritingAtPath: path)
      handle?.write(bytes)
      try? handle?.close()
    }
    writer.start()
    #expect(try AtomicFile.read(path) == bytes)
  }

  @Test(
    "of unknown size is refused once it exceeds the limit",
    arguments: ["/dev/zero", "/proc/self/maps"])
  func unknownSize(path: String) {
    #expect(
      errorText { _ = try AtomicFile.read(path, limit: 1000) }
        == "the file is larger than 1000 bytes")
  }

  @Test("is written to where it is a pipe or a device")
  func special() throws {
    let path = folder + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let reader = Thread {
      let handle = FileHandle(forReadingAtPath: path)
      Thread.current.threadDictionary["data"] = handle?.readDataToEndOfFile()
    }
    reader.start()
    try AtomicFile.write(Data("through".utf8), to: path)
    while !reader.isFinished { usleep(1000) }
    #expect(reader.threadDictionary["data"] as? Data == Data("through".utf8))
    try AtomicFile.write(Data("gone".utf8), to: "/dev/null")
    #expect(try names() == ["pipe"])
  }

  @Test("of more bytes than the limit is refused before it is read")
  func hugeFile() throws {
    let path = folder + "/huge"
    try temporary.write("", to: "huge")
    // It takes no space on the disk.
    try #require(truncate(path, 3 << 30) == 0)
    let message = "the file is larger than 2147483648 bytes"
    #expect(errorText { _ = try AtomicFile.read(path, limit: 2 << 30) } == message)
    #expect(errorText { _ = try AtomicFile(path).read(limit: 2 << 30) } == message)
    #expect(errorText { try AtomicFile(path).update(limit: 2 << 30) { _ in Data() } } == message)
  }

  @Test("reports why it cannot be read")
  func readErrors() {
    #expect(
      errorText { _ = try AtomicFile.read(folder + "/missing") }
        == "cannot open: No such file or directory")
    #expect(errorText { _ = try AtomicFile.read(folder) } == "is a directory")
    #expect(
      errorText { _ = try AtomicFile.read("") }
        == "cannot open: No such file or directory")
  }

  @Test("is created with the permissions of the umask")
  func newFile() throws {
    let path = folder + "/new"
    let mask = umask(0o027)
    defer { umask(mask) }
    try AtomicFile.write(Data("one".utf8), to: path)
    #expect(try content(path) == "one")
    #expect(mode(path) == 0o640)
    var file = try AtomicFile(folder + "/private").lock()
    #expect(try file.replace(nil, with: Data("two".utf8), isPrivate: true) != nil)
    #expect(mode(folder + "/private") == 0o600)
    #expect(try names() == [".private.lock", "new", "private"])
  }

  @Test("keeps permissions and owner", arguments: [0o600, 0o644, 0o400, 0o755] as [mode_t])
  func keepsMode(mode: mode_t) throws {
    let path = folder + "/file"
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    #expect(chmod(path, mode) == 0)
    let isRoot = getuid() == 0
    if isRoot { #expect(chown(path, 12, 34) == 0) }
    try AtomicFile.write(Data("new".utf8), to: path)
    #expect(self.mode(path) == mode)
    #expect(try content(path) == "new")
    if isRoot { #expect((status(path).st_uid, status(path).st_gid) == (12, 34)) }
    #expect(try names() == ["file"])
  }

  @Test("is a new inode, so that a reader of the old one still reads it completely")
  func newInode() throws {
    let path = folder + "/file"
    try AtomicFile.write(Data("old content".utf8), to: path)
    let reader = try #require(FileHandle(forReadingAtPath: path))
    try AtomicFile.write(Data("new".utf8), to: path)
    #expect(String(decoding: reader.readDataToEndOfFile(), as: UTF8.self) == "old content")
    #expect(try content(path) == "new")
  }

  @Test(
    "is replaced behind a symbolic link, relative or absolute, in other folders too",
    arguments: [false, true])
  func links(isAbsolute: Bool) throws {
    try temporary.makeFolder("real")
    let real = folder + "/real/file"
    try AtomicFile.write(Data("old".utf8), to: real)
    let target = isAbsolute ? real : "real/file"
    let link = folder + "/link"
    try temporary.link("link", to: target)
    try AtomicFile.write(Data("new".utf8), to: link)
    #expect(try content(real) == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/real") == ["file"])
  }

  @Test(
    "is left unchanged if it cannot be replaced",
    arguments: [
      ("dangling", "cannot follow the symbolic link: No such file or directory"),
      ("folder", "is a directory"),
      ("no/such/folder", "cannot open: No such file or directory"),
      ("file/file", "cannot open: Not a directory"),
      (String(repeating: "n", count: 300), "cannot open: File name too long"),
    ])
  func writeErrors(name: String, message: String) throws {
    let data = Data("new".utf8)
    try temporary.link("dangling", to: "nowhere/file")
    try temporary.makeFolder("folder")
    try temporary.write("", to: "file")
    let before = try names()
    #expect(errorText { try AtomicFile.write(data, to: folder + "/" + name) } == message)
    #expect(try names() == before)
  }

  @Test("is changed by what its content was")
  func update() throws {
    let file = try AtomicFile(folder + "/file")
    #expect(try file.identity() == nil)
    #expect(try file.read() == nil)
    let first = try file.update { present in
      #expect(present.identity == nil)
      return Data("first".utf8)
    }?.identity
    #expect(try file.identity() == first)
    let second = try file.update { present in
      #expect(present.identity == first)
      return (present.contents?.data ?? Data()) + Data(" second".utf8)
    }?.identity
    #expect(second != first)
    #expect(try content(folder + "/file") == "first second")
    #expect(try file.update { _ in nil }?.identity == second)
    #expect(try file.identity() == second)
    #expect(try names() == ["file"])
  }

  @Test("is left unchanged if the closure throws")
  func failingUpdate() throws {
    struct Failure: Error {}
    let file = try AtomicFile(folder + "/file")
    let before = try file.update { _ in Data("old".utf8) }?.identity
    #expect(
      errorText { try file.update { (_) throws(Failure) in throw Failure() } } == "Failure()")
    #expect(try file.identity() == before)
    #expect(try names() == ["file"])
  }

  @Test("is read again if a program without the lock has changed it meanwhile")
  func changedMeanwhile() throws {
    let path = folder + "/file"
    let file = try AtomicFile(path)
    try file.update { _ in Data("old".utf8) }
    var calls = 0
    try file.update { present in
      calls += 1
      if calls == 1 { try Data("other".utf8).write(to: URL(fileURLWithPath: path)) }
      return (present.contents?.data ?? Data()) + Data(" new".utf8)
    }
    #expect(calls == 2)
    #expect(try content(path) == "other new")
    // A program that never stops makes the update fail.
    #expect(
      errorText {
        try file.update { contents in
          calls += 1
          try Data("\(calls)".utf8).write(to: URL(fileURLWithPath: path))
          return Data()
        }
      } == "another program keeps changing the file")
    #expect(try content(path) == "\(calls)")
    #expect(try names() == ["file"])
  }

  @Test("has another identity after every change unless the identity is racy")
  func identity() throws {
    let path = folder + "/file"
    let file = try AtomicFile(path)
    try file.update { _ in Data("0".utf8) }
    for round in 1...20 {
      var known = try #require(try file.identity())
      while known.isRacy { known = try #require(try file.identity()) }
      if round % 2 == 0 {
        try file.update { _ in Data("\(round % 10)".utf8) }
      } else {
        // In place and of the same size.
        let handle = try #require(FileHandle(forWritingAtPath: path))
        handle.write(Data("\(round % 10)".utf8))
        try handle.close()
      }
      #expect(try file.identity() != known)
    }
  }

  @Test(
    "is read up to the first line feed",
    arguments: [("", ""), ("id", "id"), ("id\n", "id\n"), ("id\nmore\n", "id\n"), ("\n", "\n")])
  func line(text: String, line: String) throws {
    try AtomicFile.write(Data(text.utf8), to: folder + "/file")
    #expect(try AtomicFile.readLine(folder + "/file", limit: 256) == Data(line.utf8))
    #expect(try AtomicFile.readLine(folder + "/file", limit: 1) == Data(text.utf8.prefix(1)))
  }

  @Test("is moved aside to a name that is free")
  func moveAside() throws {
    let file = try AtomicFile(folder + "/file")
    func moveAside() throws -> String? {
      var locked = try file.lock()
      return try locked.moveAside(suffix: ".old")
    }
    #expect(try moveAside() == nil)
    for name in ["file.old", "file.old-2", "file.old-3"] {
      try file.update { _ in Data(name.utf8) }
      #expect(try moveAside() == folder + "/" + name)
      #expect(try content(folder + "/" + name) == name)
    }
    #expect(try names() == ["file.old", "file.old-2", "file.old-3"])
  }

  @Test("keeps its extended attributes and access control list")
  func attributes() throws {
    let path = folder + "/file"
    try AtomicFile.write(Data("old".utf8), to: path)
    #expect(chmod(path, 0o640) == 0)
    try setAttribute("user.note", Array("kept".utf8), of: path)
    // user::rw- user:12:r-- group::--- mask::r-- other::---
    let list = accessList([
      (1, 6, .max), (2, 4, 12), (4, 0, .max), (0x10, 4, .max), (0x20, 0, .max),
    ])
    try setAttribute("system.posix_acl_access", list, of: path)
    try AtomicFile.write(Data("new".utf8), to: path)
    #expect(attribute("user.note", of: path) == Array("kept".utf8))
    #expect(attribute("system.posix_acl_access", of: path) == list)
    #expect(mode(path) == 0o640)
  }

  @Test("does not inherit an access control list from its folder")
  func inheritedList() throws {
    let path = folder + "/file"
    try AtomicFile.write(Data("old".utf8), to: path)
    #expect(chmod(path, 0o640) == 0)
    // user::rwx user:12:rwx group::rwx mask::rwx other::rwx
    let list = accessList([
      (1, 7, .max), (2, 7, 12), (4, 7, .max), (0x10, 7, .max), (0x20, 7, .max),
    ])
    try setAttribute("system.posix_acl_default", list, of: folder)
    try AtomicFile.write(Data("new".utf8), to: path)
    #expect(attribute("system.posix_acl_access", of: path) == nil)
    #expect(mode(path) == 0o640)
  }

  @Test("narrows the access control list of a group that it does not keep")
  func restrictedList() {
    func list(group: CChar, others: CChar) -> [CChar] {
      let entries: [(tag: CChar, permissions: CChar)] = [
        (0x01, 6), (0x02, 6), (0x04, group), (0x08, 7), (0x10, 7), (0x20, others),
      ]
      return [2, 0, 0, 0] + entries.flatMap { [$0.tag, 0, $0.permissions, 0, -1, -1, -1, -1] }
    }
    for (group, others, narrowed) in [(6, 4, 4), (7, 0, 0), (4, 6, 4)] as [(CChar, CChar, CChar)] {
      #expect(
        AccessList.restrictingGroup(in: list(group: group, others: others))
          == list(group: narrowed, others: others))
    }
    for damaged in [[], [2, 0, 0, 0], [2, 0, 0, 0, 4, 0]] as [[CChar]] {
      #expect(AccessList.restrictingGroup(in: damaged) == damaged)
    }
  }

  /// A list of tags, permissions and identifiers, as in acl(5).
  private func accessList(_ entries: [(UInt16, UInt16, UInt32)]) -> [UInt8] {
    entries.reduce(into: [2, 0, 0, 0]) { list, entry in
      for number in [entry.0, entry.1] { list += [UInt8(number & 0xFF), UInt8(number >> 8)] }
      list += (0..<4).map { UInt8(truncatingIfNeeded: entry.2 >> ($0 * 8)) }
    }
  }

  private func setAttribute(_ name: String, _ value: [UInt8], of path: String) throws {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    try #require(larder_set_attribute(file, name, value, value.count) == 0)
  }

  private func attribute(_ name: String, of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    var value = Array(repeating: UInt8(0), count: 1000)
    let count = larder_get_attribute(file, name, &value, value.count)
    return count < 0 ? nil : Array(value.prefix(count))
  }

  @Test("inherits the group of a set-group-ID folder unless it has another")
  func groupOfFolder() throws {
    guard getuid() == 0 else { return }
    #expect(chown(folder, 0, 34) == 0)
    #expect(chmod(folder, 0o2770) == 0)
    let path = folder + "/file"
    try AtomicFile.write(Data("new".utf8), to: path)
    #expect(status(path).st_gid == 34)
    #expect(chown(path, 0, 12) == 0)
    try AtomicFile.write(Data("newer".utf8), to: path)
    #expect(status(path).st_gid == 12)
  }

  @Test("does not follow symbolic links in the place of its own files")
  func hostileLinks() throws {
    let path = folder + "/file"
    let victim = folder + "/victim"
    try Data("victim".utf8).write(to: URL(fileURLWithPath: victim))
    try temporary.link(".file.new", to: victim)
    try AtomicFile.write(Data("new".utf8), to: path)
    #expect(try names() == ["file", "victim"])
    try temporary.link(".file.lock", to: victim)
    #expect(
      errorText { try AtomicFile.write(Data("newer".utf8), to: path) }
        == "cannot open the lock file .file.lock: Too many levels of symbolic links")
    #expect(try content(victim) == "victim")
    #expect(try content(path) == "new")
  }

  @Test("does not follow a symbolic link that takes its place")
  func swappedLink() throws {
    let path = folder + "/file"
    let victim = folder + "/victim"
    try Data("victim".utf8).write(to: URL(fileURLWithPath: victim))
    let file = try AtomicFile(path)
    try temporary.link("file", to: victim)
    #expect(errorText { _ = try file.read() } == "cannot open: Too many levels of symbolic links")
    #expect(errorText { try file.update { _ in Data() } } != nil)
    #expect(try content(victim) == "victim")
  }

  @Test("follows no symbolic link on its path if that is not allowed")
  func refusedLinks() throws {
    let root = try FilePath.resolved(folder)
    try temporary.makeFolder("inner")
    try temporary.write("old", to: "inner/file")
    try temporary.link("link", to: "inner")
    try temporary.link("inner/alias", to: "file")

    let refusal = "cannot open: Too many levels of symbolic links"
    for path in ["/link/file", "/link/new", "/inner/../link/file"] {
      #expect(errorText { _ = try AtomicFile(root + path, followingLinks: false) } == refusal)
    }
    let alias = try AtomicFile(root + "/inner/alias", followingLinks: false)
    #expect(errorText { _ = try alias.read() } == refusal)
    #expect(
      errorText { _ = try AtomicFile(root + "/inner/file/x", followingLinks: false) }
        == "cannot open: Not a directory")

    let file = try AtomicFile(root + "//inner/./file", followingLinks: false)
    #expect(try file.read()?.data == Data("old".utf8))
    _ = try file.update { _ in Data("new".utf8) }
    #expect(try content(root + "/inner/file") == "new")
    _ = try AtomicFile(root + "/inner/new", followingLinks: false).update { _ in Data("2".utf8) }
    #expect(try content(root + "/inner/new") == "2")
  }

  @Test("replaces what a killed process has left")
  func leftover() throws {
    try temporary.write("half", to: ".file.new")
    try AtomicFile.write(Data("whole".utf8), to: folder + "/file")
    #expect(try names() == ["file"])
  }

  @Test("may have the longest name that the file system allows")
  func longName() throws {
    let name = String(repeating: "n", count: 255)
    try AtomicFile.write(Data("x".utf8), to: folder + "/" + name)
    try AtomicFile.write(Data("y".utf8), to: folder + "/" + name)
    #expect(try names() == [name])
    #expect(try content(folder + "/" + name) == "y")
  }

  @Test("is complete for every reader while it is replaced repeatedly")
  func concurrentReaders() async throws {
    let path = folder + "/file"
    let contents = (0..<4).map { Data(repeating: UInt8($0), count: 50_000 + $0) }
    try AtomicFile.write(contents[0], to: path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        group.addTask {
          for round in 0..<50 {
            try AtomicFile.write(contents[(writer * 2 + round) % 4], to: path)
          }
        }
      }
      group.addTask {
        for _ in 0..<200 {
          let data = try AtomicFile.read(path)
          try #require(contents.contains(data))
        }
      }
      try await group.waitForAll()
    }
    #expect(try names() == ["file"])
  }
}
