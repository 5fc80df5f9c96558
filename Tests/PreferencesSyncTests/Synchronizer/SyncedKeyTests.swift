import FoundationEssentials
import PropertyList
import Testing

@testable import Preferences
@testable import PreferencesSync

@Suite("The state of a key decides how changes are merged")
struct SyncedKeyTests {
  private static func entry(_ value: PlistValue, at seconds: Double) throws -> RemoteEntry {
    let record = try SyncRecord(date: Date(timeIntervalSinceReferenceDate: seconds), value: value)
    return RemoteEntry(key: "k", data: record.data, revision: 1)
  }

  @Test(
    "A value set right after the key was added is a change, however late its event arrives",
    arguments: [true, false])
  func lateEvent(hasArrived: Bool) throws {
    var key = SyncedKey("k", generation: 1)
    let own = SyncedKey.OwnValue(
      value: "here", stamped: StampedValue("here", nil),
      date: Date(timeIntervalSinceReferenceDate: 1000))
    key.mergeLocal(own, by: "here", isInitial: true)
    if hasArrived { key.markDated() }
    key.mergeRemote(try Self.entry("there", at: 10))
    #expect(key.record?.value == (hasArrived ? "here" : "there"))
    #expect(key.isPending == hasArrived)
    #expect(key.localWrite?.value == (hasArrived ? "here" : "there"))
    #expect(key.localWrite?.time == key.record?.time)
  }

  @Test("An invalid entry is not overwritten when the state file may have been lost")
  func corruptEntry() {
    var key = SyncedKey("k", generation: 1, stored: "nonsense")
    key.markUnsaved()
    #expect(!key.isUnsaved)
    #expect("\(key.problem!)" == "the state file holds an invalid entry for the key k")
  }
}
