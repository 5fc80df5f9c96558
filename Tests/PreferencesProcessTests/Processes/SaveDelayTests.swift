import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("The time until a change is saved in the background") struct SaveDelayTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Reads a number of milliseconds.
    private func milliseconds(from process: TestProcess) throws -> Duration {
      .milliseconds(try #require(Int(process.readLine() ?? "")))
    }

    @Test(
      "A successful save ends the delays that failures before it have caused",
      .enabled(if: TestScale.isLong, "it takes seconds that a manual clock need not wait for"))
    func afterFailures() throws {
      try folder.write(Plist.write(["not preferences"], as: .xml), to: "test.plist")
      // The next attempt is 8 seconds after the fourth.
      let process = try TestProcess(folder.file, "set-after-failures", "4")
      #expect(process.readLine() == "failed")
      try folder.write(Plist.write([:], as: .xml), to: "test.plist")
      process.writeLine("go")
      #expect(try milliseconds(from: process) < .seconds(4))
      #expect(try milliseconds(from: process) < .seconds(4))
      TestProcess.finish([process])
      #expect(try folder.values() == ["key": "second"])
    }

    @Test(
      "A lower delay counts for what is scheduled, and after what was scheduled has been saved",
      arguments: ["scheduled", "flushed"])
    func lowerDelay(when: String) throws {
      let process = try TestProcess(folder.file, "lower-delay", when)
      #expect(try milliseconds(from: process) < .seconds(5))
      TestProcess.finish([process])
    }
  }
}
