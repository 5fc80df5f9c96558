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
    #expect(merge.isStored(isMissing: false, ownKeys: row.changes.map(\.key)) == row.isStored)
    #expect(merge.isStored(isMissing: true, ownKeys: nil) == row.result.isEmpty)
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
}
