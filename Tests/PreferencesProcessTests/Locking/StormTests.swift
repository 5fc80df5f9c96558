import FileStorage
import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Many processes on one file") struct StormTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // Each commit reads the keys of all earlier ones, so the cost grows with the square of the keys.
    @Test("Concurrent writers lose none of each other's keys", arguments: [8, 32, 128])
    func distinctKeys(writers: Int) throws {
      // With many processes, their number matters, not the keys of each.
      let keys = TestScale.isExhaustive ? 50 : (TestScale.isLong ? 400 : 128) / writers
      for _ in 0..<TestScale.rounds {
        let folder = try TemporaryFolder()
        TestProcess.finish(
          try (0..<writers).map {
            try TestProcess(folder.file, "write-keys", "writer\($0)-", "\(keys)")
          }, within: .seconds(900))
        let values = try folder.values()
        var tally = FaultTally(injected: writers, acknowledged: writers * keys)
        for writer in 0..<writers {
          tally.lost += (0..<keys)
            .count { values["writer\(writer)-\($0)"] != .integer(Int64($0)) }
        }
        #expect(values.count == writers * keys)
        tally.stray = try folder.names().count - [".test.plist.lock", "test.plist"].count
        tally.finish("1 processes that write distinct keys\tstore")
      }
    }

    @Test("Two writers keep all keys")
    func twoWriters() throws {
      let keys = TestScale.isLong ? 500 : 20
      for _ in 0..<TestScale.rounds {
        let folder = try TemporaryFolder()
        TestProcess.finish(
          try ["a", "b"].map { try TestProcess(folder.file, "write-keys", $0, "\(keys)") })
        #expect(try folder.values().count == 2 * keys)
      }
    }

    @Test("Concurrent updates count exactly")
    func counter() throws {
      let count = TestScale.count(50)
      TestProcess.finish(
        try (0..<8).map { _ in try TestProcess(folder.file, "increment", String(count)) })
      try finish("2 updates of one counter by many processes", count: 8 * count)
    }

    /// Expects the counter to be exact, and adds it to the report on faults.
    private func finish(_ row: String, count: Int) throws {
      let values = try folder.values()
      #expect(values.keys.sorted() == ["count"])
      guard case .integer(let found)? = values["count"] else { return }
      #expect(found <= count)
      FaultTally(injected: count, acknowledged: count, lost: count - Int(found))
        .finish("\(row)\tstore")
    }

    @Test("Readers see only whole files and no value from before")
    func readers() throws {
      TestProcess.finish([try TestProcess(folder.file, "increment", "1")])
      let readers = try (0..<3).map { _ in try TestProcess(folder.file, "read-repeatedly") }
      for reader in readers { #expect(reader.readLine() == "ready") }
      TestProcess.finish(
        try (0..<4).map { _ in
          try TestProcess(folder.file, "increment", String(TestScale.count(100)))
        })
      for reader in readers {
        reader.closeInput()
        #expect(Int(reader.readLine() ?? "") ?? 0 > 0)
      }
      TestProcess.finish(readers)
      try finish("3 readers among many writers", count: 4 * TestScale.count(100) + 1)
    }

    @Test("The later write wins, even if it sets the value that its process has read")
    func laterWriteWins() throws {
      TestProcess.finish([try TestProcess(folder.file, "set", "key", "old")])
      let first = try TestProcess(folder.file, "overwrite")
      #expect(first.readLine() == "read")
      TestProcess.finish([try TestProcess(folder.file, "set", "key", "other")])
      #expect(try folder.values() == ["key": "other"])
      first.writeLine("go")
      TestProcess.finish([first])
      #expect(try folder.values() == ["key": "old"])
    }

    @Test("Updates time out while the lock's holder is stopped, and succeed once it is killed")
    func updateTimeouts() throws {
      let holder = try stoppedHolder()
      let store = PreferencesStore(fileAt: folder.file)
      #expect {
        try store.update(timeout: .milliseconds(300)) { $0["key"] = 1 }
      } throws: { error in
        guard
          case .lockTimeout(folder.file, let waited, ".test.plist.lock")? =
            error as? PreferencesError
        else { return false }
        return (.milliseconds(100)...(.milliseconds(300))).contains(waited)
      }
      // An exit with unsaved changes gives up after a while.
      let exiting = try TestProcess(folder.file, "end", "exit")
      #expect(exiting.wait() == 0)
      #expect(!FileManager.default.fileExists(atPath: folder.file))

      holder.send(SIGKILL)
      #expect(holder.wait() == 128 + SIGKILL)
      try store.update { $0["key"] = 2 }
      #expect(try folder.values() == ["key": 2])
    }

    /// Starts a process that holds the lock of the file and is stopped.
    private func stoppedHolder() throws -> TestProcess {
      let holder = try TestProcess(folder.file, "hold-lock")
      #expect(holder.readLine() == "held")
      holder.send(SIGSTOP)
      return holder
    }

    @Test("Tasks that save at once while the lock's holder is stopped time out together")
    func concurrentTimeouts() throws {
      let holder = try stoppedHolder()
      let process = try TestProcess(folder.file, "flush-in-tasks", "4")
      let lines = process.readLines()
      TestProcess.finish([process])
      // The limit of each is 10 seconds, and the process waits for 20.
      #expect(lines.count == 5 && lines.last == "end")
      for line in lines.dropLast() {
        #expect(line.hasPrefix("\(folder.file): the file was still locked after "))
      }
      holder.send(SIGKILL)
      holder.wait()
    }

    @Test("Saving all stores ends soon after its task is canceled")
    func canceledSave() throws {
      let holder = try stoppedHolder()
      let process = try TestProcess(folder.file, "cancel-flush-all")
      #expect(process.readLine() == "CancellationError()")
      #expect(try #require(Int(process.readLine() ?? "")) < 4000)
      TestProcess.finish([process])
      holder.send(SIGKILL)
      holder.wait()
    }

    @Test("The number of open descriptors stays constant")
    func descriptors() throws {
      let process = try TestProcess(
        folder.file, "open-many", String(100_000 * TestScale.rounds),
        String(1000 * TestScale.rounds))
      let counts = process.readLine()?.split(separator: " ") ?? []
      TestProcess.finish([process])
      try #require(counts.count == 2)
      #expect(counts[0] == counts[1])
    }
  }
}
