import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("A forked child") struct ForkTests {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
    }

    @Test(
      "does not undo what its parent has saved since the fork, however it ends",
      arguments: [
        "exit", "flush", "set", "set-and-flush", "update", "flush-all", "exec", "_exit", "wait",
      ],
      // The last value is from before the inherited change.
      ["newer", "old"])
    func stale(end: String, newer: String) throws {
      let process = try TestProcess(folder.file, "end-after-parent", end, newer)
      #expect(process.readLine() == newer)
      TestProcess.finish([process])
      let isOwn = ["set", "set-and-flush", "update"].contains(end)
      #expect(
        try folder.values()
          == (isOwn
            ? ["k": .string(newer), "own": "child"] : ["k": .string(newer)] as PlistDictionary))
    }

    @Test(
      "writes only its own changes: what its parent left unsaved is lost with the parent",
      arguments: ["_exit", "kill"], ["exit", "return", "flush-all", "set", "set-and-flush"])
    func abandoned(parent: String, child: String) throws {
      let process = try TestProcess(folder.file, "abandon", parent, child)
      // The child has also ended when no process can write any more.
      while process.readLine() != nil {}
      process.wait()
      var expected: PlistDictionary = ["k": "old", "removed": "old"]
      if child.hasPrefix("set") { expected["own"] = "child" }
      #expect(try folder.values() == expected)
    }

    @Test("reads the file at its first use, and tells observers what its parent has left unsaved")
    func firstUse() throws {
      let process = try TestProcess(folder.file, "fork-with-unsaved-changes")
      var lines: [String] = []
      while let line = process.readLine() { lines.append(line) }
      #expect(
        lines == [
          "k: inherited", "added: inherited", "removed: none", "child", "k: old", "added: none",
          "removed: old", "values added=none k=old removed=old", "own in memory: kept", "k: child",
          "parent added=inherited k=inherited removed=none",
        ])
      #expect(process.wait() == 0)
      #expect(try folder.values() == ["added": "inherited", "k": "inherited"])
    }

    @Test("does not go on with an update that its parent has begun, which the parent finishes")
    func inUpdate() throws {
      let process = try TestProcess(folder.file, "fork-in-update")
      #expect(
        process.readLine()
          == "\(folder.file): a forked child does not hold the locks of its parent")
      TestProcess.finish([process])
      #expect(try folder.values() == ["by": "parent"])
    }

    @Test("keeps no lock of its parent when that is killed")
    func lock() throws {
      let process = try TestProcess(folder.file, "fork-beside-update")
      let identifier = try #require(process.readLine().flatMap { pid_t($0) })
      process.send(SIGKILL)
      // Fails after ten seconds if the lock is held.
      TestProcess.finish([try TestProcess(folder.file, "set", "k", "other")])
      #expect(kill(identifier, SIGKILL) == 0)
      #expect(process.wait() == 128 + SIGKILL)
      #expect(try folder.values() == ["k": "other"])
    }

    @Test("hangs in nothing that threads of its parent were doing")
    func storm() throws {
      let process = try TestProcess(folder.file, "fork-in-storm", "\(5 * TestScale.rounds)")
      let line = process.readLine()
      #expect(line?.contains("forks") == true)
      TestProcess.finish([process])
    }
  }

  @Suite("Without another thread") struct ThreadShortageTests {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try #require(Trace.obstacle == nil)
    }

    /// A command that lets each thread fail to create its first one.
    private static let shortage = [
      "strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=clone,clone3:error=EAGAIN:when=1",
    ]

    @Test("the next change tries again to start saving, and the end of the process saves")
    func saving() throws {
      let process = try TestProcess(
        folder.file, "set-without-thread", "live", wrapper: Self.shortage)
      #expect(process.readLine() == "the system cannot start the thread larder-save")
      var line = process.readLine()
      // The saving thread's first attempt also fails, which may be reported before the file is found.
      if line == "the system cannot start the thread larder-commit" { line = process.readLine() }
      #expect(line == "saved")
      TestProcess.finish([process])
      #expect(try folder.values() == ["a": "first", "b": "second"])
      let other = try TestProcess(
        folder.file, "set-without-thread", "exit", wrapper: Self.shortage)
      #expect(other.readLine() == "the system cannot start the thread larder-save")
      TestProcess.finish([other])
      #expect(try folder.values() == ["a": "first", "b": "second"])
    }

    @Test("watching files begins later")
    func watching() throws {
      let process = try TestProcess(folder.file, "watch-without-thread", wrapper: Self.shortage)
      #expect(process.readLine() == "ready")
      TestProcess.finish([try TestProcess(folder.file, "set", "k", "one")])
      // Long enough for another attempt.
      usleep(200_000)
      process.writeLine("synchronize")
      #expect(Set([process.readLine(), process.readLine()]) == ["synchronized", "changed"])
      TestProcess.finish([try TestProcess(folder.file, "set", "k", "two")])
      #expect(process.readLine() == "changed")
      TestProcess.finish([process])
    }
  }
}
