import Preferences
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Saving all stores while one of them is being saved") struct SaveAllTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
      "An update that saves all stores saves the others, and fails at once for its own",
      arguments: ["blocking", "awaited"])
    func withinUpdate(kind: String) throws {
      let process = try TestProcess(folder.file, "flush-all-in-update", kind)
      #expect(process.readLine() == "\(PreferencesError.withinUpdate(path: folder.file))")
      #expect(try #require(Int(process.readLine() ?? "")) < 4000)
      #expect(process.readLine() == "true")
      TestProcess.finish([process])
      #expect(try folder.values() == ["before": true, "edit": true])
      #expect(try folder.values("test.plist-other") == ["key": true])
    }

    @Test(
      "A handler of failures that saves all stores gets the error at once",
      arguments: ["save-handler", "event-handler"])
    func withinHandler(kind: String) throws {
      try folder.write(Plist.write(["not preferences"], as: .xml), to: "test.plist")
      let process = try TestProcess(folder.file, "flush-all-in-handler", kind)
      #expect(process.readLine() == "\(PreferencesError.notPreferences(path: folder.file))")
      #expect(try #require(Int(process.readLine() ?? "")) < 4000)
      TestProcess.finish([process])
    }
  }
}
