import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

extension FaultTests {
  @Suite("A program that replaces the file without a lock") struct ForeignWriterTests {
    /// The number of keys of the foreign program in one round. Its cost grows quadratically.
    private let count = 300

    @Test("Both programs' keys are kept, and hardly one has to be written again")
    func storm() throws {
      for _ in 0..<TestScale.rounds * (TestScale.isExhaustive ? 10 : 1) { try round() }
    }

    private func round() throws {
      let folder = try TemporaryFolder()
      let store = PreferencesStore(fileAt: folder.file)
      try store.update { $0["first"] = true }
      let script = Bundle.module.path(forResource: "foreign-writer", ofType: "py")!
      let result = try TemporaryFolder()
      let foreign = try TestProcess(
        command: ["python3", script, folder.file, String(count), result.path("undone")])
      var tally = FaultTally()
      var saved = 0
      while try result.names() != ["undone"], foreign.isRunning {
        store.set(saved, forKey: "own\(saved % 500)")
        do throws(PreferencesError) {
          try store.flush()
          saved += 1
        } catch {
          // The other program was faster at every attempt: nothing was written.
          guard case .storage(_, let error) = error, error.code == EAGAIN else { throw error }
        }
      }
      // Without a check just before the file is replaced, many of them would be lost.
      let repeated = try #require(Int(result.text("undone")))
      #expect(repeated <= count / 20, "\(repeated) of \(count)")
      for index in max(0, saved - 500)..<saved { store.set(index, forKey: "own\(index % 500)") }
      try store.flush()
      foreign.writeLine("done")
      TestProcess.finish([foreign])

      let values = try folder.values()
      tally.injected = count
      tally.acknowledged = count + saved
      tally.lost = (0..<count).count { values["foreign\($0)"] != .integer(Int64($0)) }
      tally.lost += (max(0, saved - 500)..<saved)
        .count { values["own\($0 % 500)"] != .integer(Int64($0)) }
      tally.stray = try folder.names().count - [".test.plist.lock", "test.plist"].count
      #expect(saved > 0)
      tally.finish("15 a program that replaces the file without a lock\tstore")
    }
  }
}
