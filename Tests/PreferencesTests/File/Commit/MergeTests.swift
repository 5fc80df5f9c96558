import Foundation
import PropertyList
import Testing

@testable import Preferences

@Suite("Merging changes into what a file holds")
struct MergeTests {
  struct Row: CustomTestStringConvertible {
    var name: String
    var changes: [(key: String, value: PlistValue?)] = []
    var replacesAll = false
    var isKnown = true
    var found: PlistDictionary
    var result: PlistDictionary
    var isOwn = true
    var isStored = false

    var testDescription: String { name }
  }

  private static let rows: [Row] = [
    Row(
      name: "a key that is set", changes: [("a", 1)], found: ["b": 2], result: ["b": 2, "a": 1]),
    Row(
      name: "a key that another process has changed, too", changes: [("a", 1)], isKnown: false,
      found: ["a": 3, "b": 2], result: ["a": 1, "b": 2], isOwn: false),
    Row(
      name: "a key that is removed", changes: [("a", nil)], found: ["a": 1, "b": 2],
      result: ["b": 2]),
    Row(
      name: "a key that is removed and was not there", changes: [("a", nil)], found: ["b": 2],
      result: ["b": 2], isStored: true),
    Row(
      name: "a value that is there already", changes: [("a", 1)], isKnown: false, found: ["a": 1],
      result: ["a": 1], isOwn: false, isStored: true),
    Row(
      name: "a value of another width", changes: [("a", .real(1))], found: ["a": .float(1)],
      result: ["a": .real(1)]),
    Row(
      name: "all values replaced", changes: [("a", 1)], replacesAll: true, isKnown: false,
      found: ["b": 2, "c": 3], result: ["a": 1], isOwn: false),
    Row(
      name: "no changes", isKnown: false, found: ["b": 2], result: ["b": 2], isOwn: false,
      isStored: true),
  ]

  @Test("has a row for each kind of change", arguments: rows)
  func merge(_ row: Row) {
    var changes = Changes()
    changes.replacesAll = row.replacesAll
    changes.set(row.changes)
    let merge = Merge(changes, into: DomainContents(values: row.found), isKnown: row.isKnown)
    #expect(merge.contents.values == row.result)
    #expect(merge.found == row.found)
    #expect(merge.isOwn == row.isOwn)
    #expect(
      merge.isStored(isMissing: false, ownKeys: row.changes.map(\.key), stamps: nil) == row.isStored
    )
    #expect(merge.isStored(isMissing: true, ownKeys: nil, stamps: nil) == row.result.isEmpty)
  }

  @Test("rounds all dates of a file that holds whole seconds, also those of others")
  func rounding() {
    let half = PlistValue.date(Date(timeIntervalSinceReferenceDate: 1.5))
    let whole = PlistValue.date(Date(timeIntervalSinceReferenceDate: 1))
    var changes = Changes()
    changes.set([("a", 1)])
    var merge = Merge(changes, into: DomainContents(values: ["d": half]), isKnown: true)
    merge.roundToWholeSeconds()
    #expect(merge.contents.values == ["d": whole, "a": 1])
    #expect(!merge.isOwn)
    var other = Merge(changes, into: DomainContents(values: ["d": whole]), isKnown: true)
    other.roundToWholeSeconds()
    #expect(other.isOwn)
  }

  /// A commit of a process that has migrations to version 3.
  struct VersionRow: CustomTestStringConvertible {
    var testDescription: String
    var found: PlistDictionary
    var replacesAll = false
    var set: PlistDictionary = ["a": 1]
    /// Nil if the commit is refused.
    var result: PlistDictionary?
    var isOwn = true
  }

  private static let key = PreferencesMigration.versionKey
  private static let versionRows = [
    VersionRow(
      testDescription: "a new file gets the version", found: [:], result: ["a": 1, key: 3],
      isOwn: false),
    VersionRow(
      testDescription: "a file of the version keeps it", found: ["b": 2, key: 3],
      result: ["b": 2, key: 3, "a": 1]),
    VersionRow(
      testDescription: "a file whose values are all replaced keeps it", found: ["b": 2, key: 3],
      replacesAll: true, result: ["a": 1, key: 3], isOwn: false),
    VersionRow(
      testDescription: "a file whose values are all removed is new", found: ["b": 2, key: 3],
      replacesAll: true, set: [:], result: [:]),
    VersionRow(testDescription: "a file without a version is refused", found: ["b": 2]),
    VersionRow(testDescription: "a file of an older version is refused", found: [key: 2]),
    VersionRow(testDescription: "a file of a newer version is refused", found: [key: 4]),
    VersionRow(
      testDescription: "a version that is no integer is refused", found: [key: "3"]),
    VersionRow(
      testDescription: "values of another version are refused", found: [key: 3],
      set: ["a": 1, key: 2]),
    VersionRow(
      testDescription: "a file that is migrated is not", found: ["b": 2, key: 2],
      set: ["a": 1, key: 3], result: ["b": 2, key: 3, "a": 1]),
  ]

  @Test("keeps the version of a domain that is migrated", arguments: versionRows)
  func version(_ row: VersionRow) {
    var changes = Changes()
    changes.replacesAll = row.replacesAll
    changes.set(row.set.map { ($0.key, $0.value) })
    var merge = Merge(changes, into: DomainContents(values: row.found), isKnown: true)
    #expect(merge.keepVersion(3) == (row.result != nil))
    guard let result = row.result else { return }
    #expect(merge.contents.values == result)
    #expect(merge.isOwn == row.isOwn)
  }
}
