import FileStorage
import Foundation
import Testing

/// A folder of its own for each test, removed with the suite's instance.
@Suite("An atomic file")
final class AtomicFileTests {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "larder-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  private func content(_ path: String) throws -> String {
    String(decoding: try AtomicFile.read(path), as: UTF8.self)
  }

  private func mode(_ path: String) -> mode_t {
    var information = stat()
    return stat(path, &information) == 0 ? information.st_mode & 0o7777 : 0
  }

  private func error(_ body: () throws(SystemError) -> Void) -> String? {
    do throws(SystemError) {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("is read whole, unless it is larger than allowed")
  func reading() throws {
    let path = folder + "/file"
    let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(try AtomicFile.read(path) == bytes)
    #expect(try AtomicFile.read(path, limit: 100_000) == bytes)
    #expect(
      error { () throws(SystemError) in _ = try AtomicFile.read(path, limit: 99_999) }
        == "cannot read: File too large")
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(try AtomicFile.read(path) == Data())
  }

  @Test("is read from a pipe, whose size nobody knows")
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
    for file in ["/dev/zero", "/proc/self/maps"] {
      #expect(
        error { () throws(SystemError) in _ = try AtomicFile.read(file, limit: 1000) }
          == "cannot read: File too large")
    }
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
    try AtomicFile.replace(path, with: Data("through".utf8))
    while !reader.isFinished { usleep(1000) }
    #expect(reader.threadDictionary["data"] as? Data == Data("through".utf8))
    try AtomicFile.replace("/dev/null", with: Data("gone".utf8))
    #expect(try names() == ["pipe"])
  }

  @Test("of more bytes than there is memory is refused")
  func hugeFile() throws {
    let path = folder + "/huge"
    try Data().write(to: URL(fileURLWithPath: path))
    if truncate(path, 1 << 43) == 0 {
      #expect(
        error { () throws(SystemError) in _ = try AtomicFile.read(path, limit: 2 << 30) }
          == "cannot read: File too large")
    }
  }

  @Test("says why it cannot be read")
  func readErrors() {
    #expect(
      error { () throws(SystemError) in _ = try AtomicFile.read(folder + "/missing") }
        == "cannot open: No such file or directory")
    #expect(
      error { () throws(SystemError) in _ = try AtomicFile.read(folder) }
        == "cannot read: Is a directory")
    #expect(
      error { () throws(SystemError) in _ = try AtomicFile.read("") }
        == "cannot open: No such file or directory")
  }

  @Test("is made with the permissions of the mask")
  func newFile() throws {
    let path = folder + "/new"
    let mask = umask(0o027)
    defer { umask(mask) }
    try AtomicFile.replace(path, with: Data("one".utf8))
    #expect(try content(path) == "one")
    #expect(mode(path) == 0o640)
    try AtomicFile.create(folder + "/created", with: Data("two".utf8))
    #expect(mode(folder + "/created") == 0o640)
    #expect(try names() == ["created", "new"])
  }

  @Test("keeps permissions and owner", arguments: [0o600, 0o644, 0o400, 0o755] as [mode_t])
  func keepsMode(mode: mode_t) throws {
    let path = folder + "/file"
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    #expect(chmod(path, mode) == 0)
    let isRoot = getuid() == 0
    if isRoot { #expect(chown(path, 12, 34) == 0) }
    try AtomicFile.replace(path, with: Data("new".utf8))
    #expect(self.mode(path) == mode)
    #expect(try content(path) == "new")
    if isRoot {
      var information = stat()
      #expect(stat(path, &information) == 0)
      #expect((information.st_uid, information.st_gid) == (12, 34))
    }
    #expect(try names() == ["file"])
  }

  @Test("is a new inode, so that whoever has the old one open still reads it whole")
  func newInode() throws {
    let path = folder + "/file"
    try AtomicFile.replace(path, with: Data("old content".utf8))
    let reader = try #require(FileHandle(forReadingAtPath: path))
    try AtomicFile.replace(path, with: Data("new".utf8))
    #expect(String(decoding: reader.readDataToEndOfFile(), as: UTF8.self) == "old content")
    #expect(try content(path) == "new")
  }

  @Test("stays behind a symbolic link, relative or absolute, in other folders too")
  func links() throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/real", withIntermediateDirectories: false)
    let real = folder + "/real/file"
    try AtomicFile.replace(real, with: Data("old".utf8))
    for target in ["real/file", real] {
      let link = folder + "/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      try AtomicFile.replace(link, with: Data("through \(target)".utf8))
      #expect(try content(real) == "through \(target)")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
      try FileManager.default.removeItem(atPath: link)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/real") == ["file"])
  }

  @Test("is left alone where it cannot be replaced")
  func writeErrors() throws {
    let data = Data("new".utf8)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/dangling", withDestinationPath: "nowhere")
    try FileManager.default.createDirectory(
      atPath: folder + "/folder", withIntermediateDirectories: false)
    try Data().write(to: URL(fileURLWithPath: folder + "/file"))
    let before = try names()

    let failures = [
      ("dangling", "cannot follow the link: No such file or directory"),
      ("folder", "cannot replace what is not a file: Is a directory"),
      ("no/such/folder", "cannot open: No such file or directory"),
      ("file/file", "cannot follow the link: Not a directory"),
      (String(repeating: "n", count: 300), "cannot follow the link: File name too long"),
    ]
    for (name, message) in failures {
      #expect(
        error { () throws(SystemError) in
          try AtomicFile.replace(folder + "/" + name, with: data)
        } == message)
    }
    #expect(try names() == before)
  }

  @Test("is not created over another")
  func create() throws {
    let path = folder + "/file"
    try AtomicFile.create(path, with: Data("first".utf8))
    #expect(
      error { () throws(SystemError) in try AtomicFile.create(path, with: Data("second".utf8)) }
        == "cannot create: File exists")
    #expect(try content(path) == "first")
    #expect(try names() == ["file"])
  }

  @Test("has room for a name of any length that the file system takes")
  func longName() throws {
    let name = String(repeating: "n", count: 255)
    try AtomicFile.replace(folder + "/" + name, with: Data("x".utf8))
    try AtomicFile.replace(folder + "/" + name, with: Data("y".utf8))
    #expect(try names() == [name])
    #expect(try content(folder + "/" + name) == "y")
  }

  @Test("is whole to every reader while it is replaced again and again")
  func concurrentReaders() async throws {
    let path = folder + "/file"
    let contents = (0..<4).map { Data(repeating: UInt8($0), count: 50_000 + $0) }
    try AtomicFile.replace(path, with: contents[0])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        group.addTask {
          for round in 0..<50 {
            try AtomicFile.replace(path, with: contents[(writer * 2 + round) % 4])
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
