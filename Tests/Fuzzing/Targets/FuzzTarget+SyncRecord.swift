import Foundation
import PreferencesSync
import PropertyList

extension FuzzTarget {
  /// The records of synchronization, which another machine writes, and the entries of its state file.
  static let syncRecord = FuzzTarget(name: "syncrecord") { data in
    do {
      let record = try SyncRecord(data)
      try check(record)
    } catch let error as SyncRecordError {
      try expectLine(error)
    }
    guard let value = try? Plist.read(data, options: .small).value else { return }
    let entry: StateFileEntry
    do throws(SyncRecordError) {
      entry = try StateFileEntry(value)
    } catch {
      return try expectLine(error)
    }
    let again = try StateFileEntry(entry.value)
    try expect(again.value == entry.value, "the entry is decoded as another one")
  }

  private static func check(_ record: SyncRecord) throws {
    let again = try SyncRecord(record.data)
    try expect(again == record && again.time == record.time, "the record is decoded as another one")
    let encoded = try SyncRecord(time: record.time, value: record.value)
    try expect(encoded == record, "the record is encoded as another one")
    try expect(!record.supersedes(again), "the record wins over itself")
    // Of two different records exactly one wins.
    let removal = try SyncRecord(time: record.time, value: nil)
    if removal != record {
      try expect(
        record.supersedes(removal) != removal.supersedes(record), "no record wins, or both do")
    }
  }
}
