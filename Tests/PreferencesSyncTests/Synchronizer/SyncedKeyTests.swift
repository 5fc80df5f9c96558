import FoundationEssentials
import PropertyList
import Testing

@testable import PreferencesSync

@Suite("What is known of a key decides what becomes of it")
struct SyncedKeyTests {
  private static func entry(_ value: PlistValue, at seconds: Double) throws -> RemoteEntry {
    let record = try SyncRecord(date: Date(timeIntervalSinceReferenceDate: seconds), value: value)
    return RemoteEntry(key: "k", data: record.data, revision: 1)
  }

  @Test(
    "A value that was set right after the key was added is a change, however late that is told",
    arguments: [true, false])
  func touch(isTold: Bool) throws {
    var key = SyncedKey("k", addition: 1)
    key.note("here", at: Date(timeIntervalSinceReferenceDate: 1000), isNew: true)
    if isTold { key.noteTouch() }
    key.receive(try Self.entry("there", at: 10), over: "here")
    #expect(key.record?.value == (isTold ? "here" : "there"))
    #expect(key.isPending == isTold)
    #expect(key.replaced?.value == (isTold ? nil : "here"))
  }

  @Test("What has no meaning is not written over when the file may have been lost")
  func malformed() {
    var key = SyncedKey("k", addition: 1, remembered: "nonsense")
    key.noteLoss()
    #expect(!key.isChanged)
    #expect("\(key.problem!)" == "what is remembered of the key k has no meaning")
  }
}
