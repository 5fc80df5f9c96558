import Foundation
import PropertyList
import TestSupport
import Testing

extension FaultTests {
  @Suite("Short writes and failing closes") struct WriteAndCloseTests {
    init() throws {
      try #require(SystemCallTrace.obstacle == nil)
    }

    /// The library that makes writes short; it is compiled once.
    private static let library = Result {
      let folder = try TemporaryFolder()
      let path = folder.path("short-writes.so")
      let source = try #require(Bundle.module.path(forResource: "short-writes", ofType: "c"))
      let compiler = try BuiltProgram("plutil").run(
        "/usr/bin/env", ["clang", "-shared", "-fPIC", "-o", path, source], in: folder)
      try #require(compiler.status == 0, "\(compiler.error)")
      return (path: path, folder: folder)
    }

    @Test("Short writes are continued and interrupted ones repeated", arguments: FileEdit.all)
    func shortWrites(edit: FileEdit) throws {
      let library = try Self.library.get()
      let contents = try edit.contents()
      let (folder, trace) = (try TemporaryFolder(), try TemporaryFolder())
      try edit.prepare(folder)
      let run = try edit.run(
        in: folder,
        wrapper: [
          "strace", "-f", "-y", "-o", trace.path("trace"), "-e", "trace=write",
          "env", "LD_PRELOAD=\(library.path)", "LARDER_SHORT_WRITES=\(folder.path)",
        ])
      #expect(run.status == 0, "\(run.error)")
      let writes = SystemCallTrace(try trace.text("trace")).calls
        .count { $0.arguments.contains(folder.path) }
      let sizes = try [contents.new.count] + edit.otherFiles.map { try folder.data($0).count }
      #expect(writes == sizes.map { ($0 + 6) / 7 }.reduce(0, +))
      var tally = FaultTally(injected: writes, acknowledged: 1)
      if try folder.data("test.plist") != contents.new { tally.unreadable += 1 }
      tally.stray = try folder.names().count { !edit.allowedNames(lockFile: false).contains($0) }
      tally.finish("7 short and interrupted writes\t\(edit)")
    }

    @Test(
      "A write that ends in the middle is an error, and the old file stays",
      arguments: FileEdit.all.filter { $0.before != nil })
    func limitedSize(edit: FileEdit) throws {
      let contents = try edit.contents()
      try #require(contents.new.count > 1024)
      let folder = try TemporaryFolder()
      try edit.prepare(folder)
      let run = try edit.run(
        in: folder,
        wrapper: ["bash", "-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "bash"])
      #expect(run.status == 1)
      #expect(run.error.hasSuffix("cannot write: File too large\n"), "\(run.error)")
      var tally = FaultTally(injected: 1)
      if try folder.data("test.plist") != contents.old { tally.unreadable += 1 }
      tally.stray = try folder.names().count { !edit.allowedNames(lockFile: false).contains($0) }
      tally.finish("7 a limit of the size of files\t\(edit)")
    }

    @Test(
      "An error of closing the new file is reported before it replaces the old one",
      arguments: FileEdit.all)
    func failingClose(edit: FileEdit) throws {
      let contents = try edit.contents()
      // The first file that is closed after it has been written.
      let calls = try edit.calls()
      let write = try #require(calls.firstIndex { $0.name == "write" })
      let close = try #require(calls[write...].first { $0.name == "close" })
      for error in TestScale.isExhaustive ? ["EIO", "ENOSPC", "EDQUOT"] : ["EDQUOT"] {
        let folder = try TemporaryFolder()
        try edit.prepare(folder)
        let run = try edit.run(
          in: folder,
          wrapper: ["strace", "-f", "-qq", "-o", "/dev/null"]
            + edit.paths(in: folder).flatMap { ["-P", $0] }
            + ["-e", "inject=close:error=\(error):when=\(close.number)"])
        #expect(run.status == 1)
        #expect(run.error.contains("cannot close: "), "\(run.error)")
        var tally = FaultTally(injected: 1)
        if (try? folder.data("test.plist")) != contents.old { tally.unreadable += 1 }
        tally.stray = try folder.names()
          .count { !edit.allowedNames(lockFile: false).contains($0) }
        tally.finish("9 a failing close\t\(edit)")
      }
    }
  }
}
