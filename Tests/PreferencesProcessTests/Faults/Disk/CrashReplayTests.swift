import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing
import Threading

extension FaultTests {
  @Suite("Every state in which a crash of the machine may leave the files") struct CrashReplayTests
  {
    init() throws {
      try #require(SystemCallTrace.obstacle == nil)
    }

    /// Runs a program under strace and returns what it did to a folder.
    private static func history(
      _ command: [String], in folder: TemporaryFolder, environment: [String: String] = [:],
      isAcknowledgedByOutput: Bool
    ) throws -> DiskHistory {
      let trace = try TemporaryFolder()
      var before: [String: Data] = [:]
      for name in try folder.names() { before[name] = try folder.data(name) }
      var runner = BuiltProgram("plutil")
      runner.environment = environment
      let calls =
        "trace=openat,close,fcntl,dup,dup2,dup3,write,writev,pwrite64,pwritev,pwritev2,ftruncate,"
        + "truncate,fallocate,copy_file_range,sendfile,splice,fsync,fdatasync,sync_file_range,"
        + "mkdir,mkdirat,rmdir,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,"
        + "unlinkat,creat,open,exit_group"
      let run = try runner.run(
        "/usr/bin/env",
        ["strace", "-f", "-xx", "-s", "1048576", "-o", trace.path("trace"), "-e", calls] + command,
        in: try TemporaryFolder())
      try #require(run.status == 0, "\(run.error)")
      return try DiskHistory(
        SystemCallTrace(try trace.text("trace")), of: folder.path, before: before,
        isAcknowledgedByOutput: isAcknowledgedByOutput)
    }

    /// Makes real files of each state and has a closure read them.
    ///
    /// - Parameter check: Returns what is wrong with the files in a folder, and counts it.
    private static func replay(
      _ history: DiskHistory,
      _ check: (TemporaryFolder, DiskHistory.Crash, inout FaultTally) throws -> Void
    ) throws -> FaultTally {
      var tally = FaultTally()
      let combinations = try history.forEachCrash { crash in
        let folder = try TemporaryFolder()
        for (path, bytes) in crash.state.sorted(by: { $0.key < $1.key }) {
          if let bytes {
            try folder.write(Data(bytes), to: path)
          } else {
            try FileManager.default.createDirectory(
              atPath: folder.path(path), withIntermediateDirectories: false)
          }
        }
        try check(folder, crash, &tally)
      }
      tally.injected = combinations
      return tally
    }

    // MARK: The store

    /// Commits of a store in a folder that does not exist before.
    private static func storeHistory(commits: Int) throws -> DiskHistory {
      let folder = try TemporaryFolder()
      return try history(
        [
          BuiltProgram("PreferencesTestProgram").path, folder.path("domains/test.plist"),
          "acknowledge", "key", "\(commits)",
        ], in: folder, isAcknowledgedByOutput: true)
    }

    /// Lets a store read the files that a crash of `storeHistory` has left.
    private static func check(
      _ folder: TemporaryFolder, _ crash: DiskHistory.Crash, _ tally: inout FaultTally
    ) throws {
      let store = PreferencesStore(fileAt: folder.path("domains/test.plist"))
      let values = store.plistRepresentation
      tally.acknowledged += crash.acknowledged
      if !store.problems.isEmpty {
        tally.unreadable += 1
        tally.complaints.append("step \(crash.step): \(store.problems)")
        return
      }
      // The keys were saved in order, one after another.
      let saved = values.count
      let expected = PlistDictionary(
        (0..<saved).map { ("key\($0)", .string(String(repeating: "x", count: $0))) })
      if saved < crash.acknowledged || values != expected {
        tally.lost += max(1, crash.acknowledged - saved)
        tally.complaints.append(
          "step \(crash.step): \(crash.acknowledged) acknowledged, found \(values.keys.sorted())")
      }
      // The next commit succeeds and removes all that the crash has left beside the file.
      try store.update { $0["next"] = true }
      if try folder.names("domains") != [".test.plist.lock", "test.plist"] {
        tally.stray += 1
        tally.complaints.append("step \(crash.step): the next commit leaves a temporary file")
      }
    }

    @Test("A store finds the values of the last acknowledged commit, or newer ones")
    func store() throws {
      let history = try Self.storeHistory(commits: 3)
      let acknowledgments = history.steps.count {
        if case .acknowledge = $0 { true } else { false }
      }
      #expect(acknowledgments == 3)
      try Self.replay(history, Self.check)
        .finish("12 every state after a crash of the machine\tstore, three commits")
    }

    @Test(
      "Without any of the syncs, the replay finds files that are incomplete or lost",
      arguments: [true, false])
    func withoutSync(ofFolders: Bool) throws {
      let history = try Self.storeHistory(commits: 1).removingSyncs { $0 == ofFolders }
      let tally = try Self.replay(history) { folder, crash, tally in
        // Reading repeatedly, in case a program is still writing, would take too long.
        let data = try? folder.data("domains/test.plist")
        guard let data else { return tally.lost += crash.acknowledged }
        guard case .dictionary(let values)? = try? Plist.read(data).value else {
          return tally.unreadable += 1
        }
        if values.count < crash.acknowledged { tally.lost += 1 }
      }
      #expect((tally.lost > 0) == ofFolders)
      #expect((tally.unreadable > 0) == !ofFolders)
    }

    // MARK: The programs

    @Test(
      "A program leaves the old file or the new one, and the new one once it has succeeded",
      arguments: FileEdit.all)
    func programs(edit: FileEdit) throws {
      let contents = try edit.contents()
      let folder = try TemporaryFolder()
      try edit.prepare(folder)
      let history = try Self.history(
        edit.command(in: folder), in: folder, environment: ["XDG_CONFIG_HOME": folder.path],
        isAcknowledgedByOutput: false)
      let tally = try Self.replay(history) { folder, crash, tally in
        let found = try? folder.data("test.plist")
        tally.acknowledged += crash.acknowledged
        if found != contents.new, found != contents.old {
          tally.unreadable += 1
          tally.complaints.append("step \(crash.step): \(found?.count ?? -1) bytes")
        } else if crash.acknowledged > 0, found != contents.new {
          tally.lost += 1
          tally.complaints.append("step \(crash.step): the old file after a success")
        }
      }
      tally.finish("12 every state after a crash of the machine\t\(edit)")
    }
  }
}
