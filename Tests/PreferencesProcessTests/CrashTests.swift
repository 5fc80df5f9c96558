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
      "A process killed while saving leaves whole files and everything that it has acknowledged")
    func killed() throws {
      var random = SystemRandomNumberGenerator()
      var acknowledged: Set<String> = []
      let start = Date()
      for round in 0..<(60 * scale) {
        let process = try TestProcess(folder.file, "acknowledge", "round\(round)-")
        // Every tenth process may be killed before its first key.
        if round % 10 != 0 { _ = process.readLine().map { acknowledged.insert($0) } }
        usleep(UInt32.random(in: 0..<30_000, using: &random))
        process.send(SIGKILL)
        #expect(process.wait() == 128 + SIGKILL)
        acknowledged.formUnion(process.readLines())
        if round % 10 == 0, !FileManager.default.fileExists(atPath: folder.file) { continue }
        let values = try folder.values()
        let lost = acknowledged.filter { values[$0] == nil }
        try #require(lost.isEmpty, "round \(round): \(lost)")
        // At most one temporary file is left, which the next process replaces.
        #expect(try folder.names().count <= 3)
      }
      #expect(acknowledged.count > 60, "after \(Date().timeIntervalSince(start)) s")
      TestProcess.finish([try TestProcess(folder.file, "set", "last", "x")])
      #expect(try folder.names() == [".test.plist.lock", "test.plist"])
    }

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
  }
}
