import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Saving and the end of a process") struct CrashTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
      "An orderly exit saves everything",
      arguments: ["return", "exit", "terminate", "background"])
    func orderly(how: String) throws {
      let process = try TestProcess(folder.file, "end", how)
      #expect(process.wait() == 0)
      #expect(try folder.values() == ["end": .string(how)])
    }

    @Test("An immediate exit saves nothing and damages nothing", arguments: ["_exit", "abort"])
    func atOnce(how: String) throws {
      TestProcess.finish([try TestProcess(folder.file, "set", "key", "x")])
      let process = try TestProcess(folder.file, "end", how)
      #expect(process.wait() == (how == "abort" ? 128 + SIGABRT : 0))
      #expect(try folder.values() == ["key": "x"])
    }

    @Test("A daemon still saves after its fork", arguments: 0..<20)
    func daemon(run: Int) throws {
      let parent = try BuiltProgram("PreferencesTestProgram").run(
        [folder.file, "daemonize"], in: folder)
      #expect(parent.status == 0)
      #expect(try eventually { try folder.values()["daemon"] != nil })
      #expect(try folder.values()["before"] == 1)
      guard case .integer(let child)? = try folder.values()["daemon"] else { return }
      kill(pid_t(child), SIGKILL)
    }

    @Test(
      "An exit within an update ends soon, and saves what was set before the update",
      arguments: ["blocking", "awaited"])
    func withinUpdate(kind: String) throws {
      let process = try TestProcess(folder.file, "exit-in-update", kind)
      #expect(process.readLine() == "exiting")
      try expectEnd(of: process, within: .seconds(5))
      #expect(try folder.values() == ["before": true])
    }

    @Test(
      "An exit within a handler of failures ends soon, and saves what can be saved by then",
      arguments: ["save-handler", "event-handler"])
    func withinHandler(kind: String) throws {
      try folder.write(Plist.write(["not preferences"], as: .xml), to: "test.plist")
      let process = try TestProcess(folder.file, "exit-in-handler", kind)
      #expect(process.readLine() == "exiting")
      try expectEnd(of: process, within: .seconds(5))
      #expect(try folder.values() == ["key": true])
    }

    /// Expects a process to end by itself, and soon.
    private func expectEnd(of process: TestProcess, within limit: Duration) throws {
      let time = ContinuousClock().measure { #expect(process.wait() == 0) }
      #expect(time < limit)
    }

    /// The figures of an exit with many unsaved files.
    private struct ManyFiles {
      var count: Int
      var limit: Duration
      /// How much longer the end of the process may take.
      var slack: Duration
      /// The minimum number of saved files, even in a debug build.
      var least: Int

      static let current =
        TestScale.isLong
        ? Self(count: 50_000, limit: .seconds(3), slack: .seconds(1), least: 5_000)
        : Self(count: 2_000, limit: .milliseconds(50), slack: .seconds(4), least: 0)
    }

    @Test("An exit with many unsaved files takes no longer than its limit, and says what is left")
    func manyFiles() throws {
      let files = ManyFiles.current
      let process = try TestProcess(
        folder.file, "exit-with-many", "\(files.count)",
        "\(Int(files.limit / .milliseconds(1)))")
      #expect(process.readLine() == "exiting")
      try expectEnd(of: process, within: files.limit + files.slack)
      let saved = try folder.names().count { $0.hasPrefix("test.plist-") }
      print("saved \(saved) of \(files.count) files at the end of a process")
      #expect(saved >= files.least)
      let lines = process.errorText().split(separator: "\n")
      if saved == files.count {
        #expect(lines == [])
        return
      }
      #expect(lines.count == 1)
      let match = try #require(lines.first).firstMatch(of: /([0-9]+) of ([0-9]+) domains/)
      let (_, left, total) = try #require(match).output
      #expect(Int(total) == files.count)
      // A few may be saved while the line is written.
      #expect((0...100).contains(saved + Int(left)! - files.count))
    }
  }
}
