import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

extension FaultTests {
  @Suite("The time until a change of another program is seen") struct LatencyTests {
    /// Commands that change the file in the ways that programs do: by replacing it with another
    /// file, by writing into it, and by removing and creating it. Each leaves `value` for the key
    /// `k`.
    static let changes = [
      ("replaced", "cp value.plist other && mv other test.plist"),
      ("rewritten in place", "cat value.plist > test.plist"),
      ("removed and created", "rm test.plist; cp value.plist test.plist"),
      (
        "changed by a hundred writers",
        "for n in $(seq 99); do cp first.plist other; mv other test.plist; done; cp value.plist test.plist"
      ),
    ]

    @Test("The last value is seen within a second", arguments: changes)
    func lastValue(how: String, command: String) throws {
      var delays: [Duration] = []
      // The shortest of five counts: the machine may be busy.
      for round in 0..<5 where delays.allSatisfy({ $0 >= .seconds(1) }) {
        let folder = try TemporaryFolder()
        let value = "value \(round)"
        for (name, text) in [("value", value), ("first", "first")] {
          try folder.write("{ k = \"\(text)\"; }", to: name + ".plist")
        }
        let store = PreferencesStore(fileAt: folder.file)
        try store.update { $0["k"] = "old" }
        let token = store.observe("k") { _ in }
        let run = try BuiltProgram("plutil").run("/bin/sh", ["-c", command], in: folder)
        #expect(run.status == 0, "\(run.error)")
        let start = ContinuousClock.now
        #expect(eventually { store.string(forKey: "k") == value })
        delays.append(.now - start)
        withExtendedLifetime(token) {}
      }
      let tally = FaultTally(injected: delays.count)
      #expect(delays.last! < .seconds(1), "\(delays)")
      tally.finish("20 changes by other programs, seen within 1 s\tstore, \(how)")
    }
  }
}
