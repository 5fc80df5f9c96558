import Foundation
import TestSupport
import Testing

@testable import FileStorage

@Suite("A path")
final class FilePathTests {
  private let temporary: TemporaryFolder
  /// A folder whose name is not UTF-8.
  private let folder: [CChar]

  init() throws {
    temporary = try TemporaryFolder()
    folder = (temporary.path + "/").utf8.map { CChar(bitPattern: $0) } + [-1, 0]
    try #require(mkdir(folder, 0o700) == 0)
    try #require(symlink(folder, temporary.path("link")) == 0)
  }

  deinit {
    unlink(temporary.path("link/file"))
    rmdir(folder)
  }

  @Test("is relative to the working directory unless it begins with a slash")
  func absolute() {
    let directory = FileManager.default.currentDirectoryPath
    #expect(FilePath.absolute("/a/b") == "/a/b")
    #expect(FilePath.absolute("a/b") == directory + "/a/b")
    #expect(FilePath.absolute("") == directory + "/")
  }

  @Test("leads to a file behind symbolic links")
  func resolved() throws {
    try temporary.write("", to: "file")
    try #require(symlink("./file", temporary.path("other")) == 0)
    let real = try FilePath.resolved(temporary.path("file"))
    #expect(try FilePath.resolved(temporary.path + "/./other") == real)
    #expect { try FilePath.resolved(temporary.path("missing")) } throws: { error in
      error as? FileSystemError == FileSystemError(.resolveSymlinks, code: ENOENT)
    }
  }

  @Test("that leads to a name that is not UTF-8 is refused, not confused with another")
  func notUTF8() {
    #expect { try AtomicFile(temporary.path("link")) } throws: { error in
      error as? FileSystemError == FileSystemError(.resolveSymlinks, code: EILSEQ)
    }
  }

  @Test(
    "with a NUL or a replacement character is refused: it would lead to another file",
    arguments: [
      ("file\0.plist", "the path contains a NUL character"),
      ("file\u{FFFD}", "the path is not UTF-8"),
    ])
  func refused(name: String, error: String) throws {
    try temporary.write("x", to: "file")
    let path = temporary.path(name)
    #expect(errorText { _ = try AtomicFile(path) } == error)
    #expect(errorText { _ = try AtomicFile.read(path) } == error)
    #expect(errorText { try AtomicFile.write(Data(), to: path) } == error)
    #expect(errorText { _ = try FilePath.resolved(path) } == error)
    #expect(try temporary.text("file") == "x")
  }

  @Test("is resolved step by step")
  func steps() throws {
    try temporary.makeFolder("a/b")
    try #require(symlink("a/../a/b/", temporary.path("to-b")) == 0)
    var resolver = PathResolver(PathBytes(absolute: temporary.path("to-b/./missing")))
    var steps: [String] = []
    while let step = resolver.next() { steps.append(String(decoding: step.path, as: UTF8.self)) }
    let start = try #require(steps.firstIndex(of: temporary.path))
    #expect(
      steps[(start + 1)...]
        == [
          temporary.path("to-b"), temporary.path("a"), temporary.path("a"),
          temporary.path("a/b"), temporary.path("a/b/missing"),
        ])
    #expect(resolver.failure == nil)
  }

  @Test("with a circle of symbolic links ends after as many as the kernel follows")
  func circle() throws {
    try #require(symlink("loop", temporary.path("loop")) == 0)
    var resolver = PathResolver(PathBytes(absolute: temporary.path("loop")))
    var links = 0
    while let step = resolver.next() { if step.isLink { links += 1 } }
    #expect(resolver.failure == .tooManyLinks)
    #expect(links >= 41)
  }

  @Test("may lead through a folder that is not UTF-8 to a watched file")
  func watching() async throws {
    let watcher = FileWatcher()
    let observer = FileObserver(watcher, temporary.path("link/file"))
    try temporary.write("x", to: "link/file")
    #expect(await observer.sees("x"))
    #expect(watcher.statistics.polledCount == 0)
  }
}

@Suite("An FNV-1a hash")
struct StableHashTests {
  @Test(
    "is that of the published test vectors",
    arguments: [
      ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
    ] as [(String, UInt64)])
  func vectors(text: String, hash: UInt64) {
    #expect(StableHash.hash(text) == hash)
  }
}
