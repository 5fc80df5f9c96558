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
  }
}
