import Foundation
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("A lock file that is removed again and again") struct LockRemovalTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Writers with a lock each lose nothing, and the file is always whole")
    func storm() throws {
      TestProcess.finish([try TestProcess(folder.file, "set", "first", "x")])
      let (writers, count) = (3, TestScale.count(100))
      let processes = try (0..<writers).map {
        try TestProcess(folder.file, "acknowledge-keys", "writer\($0)-", String(count))
      }
      var removals = 0
      while processes.contains(where: \.isRunning) {
        if unlink(folder.path(".test.plist.lock")) == 0 { removals += 1 }
        let values = try folder.values()
        try #require(values["first"] == "x")
        usleep(2000)
      }
      TestProcess.finish(processes)
      #expect(removals > count / 2)
      let values = try folder.values()
      for writer in 0..<writers {
        for index in 0..<count { #expect(values["writer\(writer)-\(index)"] != nil) }
      }
      #expect(values.count == writers * count + 1)
      #expect(try Set(folder.names()).isSubset(of: [".test.plist.lock", "test.plist"]))
    }

    /// Starts a shell that changes the file by its path, one process for each change.
    private func editor(_ name: String, _ count: Int) throws -> TestProcess {
      try TestProcess(command: [
        "bash", "-ec",
        """
        for ((index = 0; index < $4; index += 2)); do
          "$0" write "$2" $3-$index x
          "$1" -insert $3-$((index + 1)) -string x "$2"
        done
        """, BuiltProgram("defaults").path, BuiltProgram("plutil").path, folder.file, name,
        String(count),
      ])
    }

    @Test("Tools that remove the lock file after each change lose nothing and leave none")
    func editors() throws {
      let count = TestScale.count(40)
      TestProcess.finish(try ["a", "b", "c", "d"].map { try editor($0, count) })
      #expect(try folder.values().count == 4 * count)
      #expect(try folder.names() == ["test.plist"])
    }

    @Test("Writers that keep the lock file and tools that remove it lose nothing")
    func editorsAndWriters() throws {
      let (edits, writes) = (TestScale.count(40), TestScale.count(200))
      TestProcess.finish(
        try ["a", "b"].map { try editor($0, edits) }
          + ["c-", "d-"].map { try TestProcess(folder.file, "acknowledge-keys", $0, "\(writes)") })
      #expect(try folder.values().count == 2 * edits + 2 * writes)
      #expect(try Set(folder.names()).isSubset(of: [".test.plist.lock", "test.plist"]))
      TestProcess.finish([try editor("e", 2)])
      #expect(try folder.names() == ["test.plist"])
    }

    @Test("The lock file of a tool that was killed is removed by the next change")
    func killedHolder() throws {
      TestProcess.finish([try TestProcess(folder.file, "set", "first", "x")])
      let holder = try TestProcess(folder.file, "hold-lock")
      #expect(holder.readLine() == "held")
      holder.send(SIGKILL)
      #expect(holder.wait() == 128 + SIGKILL)
      TestProcess.finish([try editor("a", 2)])
      #expect(try folder.values().count == 3)
      #expect(try folder.names() == ["test.plist"])
    }
  }
}
