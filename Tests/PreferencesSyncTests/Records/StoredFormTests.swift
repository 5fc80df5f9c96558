import FoundationEssentials
import PropertyList
import Testing

@testable import Preferences
@testable import PreferencesSync

/// The contents of remote stores and state files, byte by byte. If they change, old and new
/// programs cannot read each other's records.
@Suite("The form that versions of the library share")
struct StoredFormTests {
  private static let date = Date(timeIntervalSinceReferenceDate: 817_128_000)
  private static let change =
    "YnBsaXN0MDCiAQIzQchaMSAAAABUZGFyawgLFAAAAAAAAAEBAAAAAAAAAAMAAAAAAAAAAAAAAAAAAAAZ"
  private static let removal =
    "YnBsaXN0MDChATNByFoxIAAAAAgKAAAAAAAAAQEAAAAAAAAAAgAAAAAAAAAAAAAAAAAAABM="

  private static let counted =
    "YnBsaXN0MDCkAQIDBDNByFoxIAAAABAHXxAQMDEyMzQ1Njc4OWFiY2RlZlRkYXJrCA0WGCsAAAAAAAABAQAAAAAAAAAFAAAAAAAAAAAAAAAAAAAAMA=="

  @Test(
    "A record is the same bytes in every version",
    arguments: [
      (change, HybridTime(date: date), PlistValue?("dark")),
      (removal, HybridTime(date: date), nil),
      (counted, HybridTime(date: date, counter: 7, origin: "0123456789abcdef"), .string("dark")),
    ])
  func record(text: String, time: HybridTime, value: PlistValue?) throws {
    let data = try #require(Data(base64Encoded: text))
    let record = try SyncRecord(data)
    #expect(record.time == time)
    #expect(record.value == value)
    #expect(try SyncRecord(time: time, value: value).data == data)
  }

  @Test("An entry of a state file is the same in every version")
  func entry() throws {
    let (change, removal) = (Data(base64Encoded: Self.change)!, Data(base64Encoded: Self.removal)!)
    let stored: PlistValue = [
      "record": .data(change), "pending": true, "undated": true, "replaces": .data(removal),
    ]
    let entry = try StateFileEntry(stored)
    #expect(entry.record.value == "dark")
    #expect(entry.isPending && entry.isUndated)
    #expect(entry.replaced?.value == nil && entry.replaced?.date == Self.date)
    #expect(entry.value == stored)
    #expect(try StateFileEntry(["record": .data(change)]).value == ["record": .data(change)])
  }
}
