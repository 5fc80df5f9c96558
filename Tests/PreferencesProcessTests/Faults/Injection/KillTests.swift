import Foundation
import TestSupport
import Testing

extension FaultTests {
  @Suite("Kills at random moments") struct KillTests {
    /// A thousand by `make faults`.
    private static let kills = TestScale.isExhaustive ? 1000 : TestScale.count(200)

    @Test("Killed at any moment, a process leaves whole files and everything it has acknowledged")
    func kills() throws {
      let folder = try TemporaryFolder()
      let process = try TestProcess(
        folder.file, "survive-kills", String(Self.kills))
      var tally = FaultTally()
      while let line = process.readLine() {
        let figures = line.split(separator: " ")
        if figures.first == "killed" {
          tally.injected = Int(figures[1])!
          tally.acknowledged = Int(figures[3])!
        } else {
          tally.complaints.append(line)
          if line.hasPrefix("lost") { tally.lost += 1 }
          if line.hasPrefix("unreadable") { tally.unreadable += 1 }
        }
      }
      TestProcess.finish([process])
      TestProcess.finish([try TestProcess(folder.file, "set", "last", "x")])
      let strays = Set(try folder.names()).subtracting([".test.plist.lock", "test.plist"])
      tally.stray = strays.count
      #expect(tally.injected == Self.kills)
      #expect(tally.acknowledged >= tally.injected / 2)
      tally.finish("4 killed at a random moment\tstore")
    }
  }
}
