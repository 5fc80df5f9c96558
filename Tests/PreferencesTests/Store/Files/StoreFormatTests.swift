import FoundationEssentials
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("The format of a store's file")
struct StoreFormatTests {
  /// A date that XML cannot represent.
  private static let fraction = Date(timeIntervalSinceReferenceDate: 1.5)
  private static let infinity = Date(timeIntervalSinceReferenceDate: .infinity)

  @Test("A new file is XML if that can represent every value")
  func newFile() throws {
    let fixture = try StoreFixture()
    fixture.store.set("a", forKey: "k")
    try fixture.store.flush()
    #expect(try fixture.read().format == .xml)
    #expect(try fixture.read().value == ["k": "a"])
  }

  @Test(
    "A new file is binary if XML cannot represent a value",
    arguments: ["\u{FFFF}", .date(fraction), .date(infinity)] as [PlistValue])
  func newBinaryFile(value: PlistValue) throws {
    let fixture = try StoreFixture()
    fixture.store.set("a", forKey: "k")
    fixture.store.set(value, forKey: "binary")
    try fixture.store.flush()
    #expect(try fixture.read().format == .binary)
    #expect(try fixture.read().value[PlistKeyPath("binary")] == value)
    #expect(fixture.store.plistValue(forKey: "binary") == value)
  }

  @Test("An existing file keeps its format", arguments: [PlistFormat.xml, .binary])
  func existingFile(format: PlistFormat) throws {
    let fixture = try StoreFixture()
    try fixture.write(["a": 1], to: "user/\(StoreFixture.domain).plist", as: format)
    fixture.store.set(2, forKey: "b")
    try fixture.store.flush()
    #expect(try fixture.read().format == format)
    #expect(try fixture.read().value == ["a": 1, "b": 2])
    fixture.store.set(Self.fraction, forKey: "date")
    try fixture.store.flush()
    #expect(try fixture.read().format == .binary)
    #expect(try fixture.read().value == ["a": 1, "b": 2, "date": .date(Self.fraction)])
  }

  @Test("A JSON file is read and becomes XML")
  func json() throws {
    let fixture = try StoreFixture()
    let name = "user/\(StoreFixture.domain).plist"
    try fixture.write([:], to: name)
    try fixture.folder.write(#"{"a": 1, "b": [2.0]}"#, to: name)
    fixture.store.set(true, forKey: "c")
    try fixture.store.flush()
    #expect(try fixture.read().format == .xml)
    #expect(try fixture.read().value == ["a": 1, "b": [2.0], "c": true])
  }

  @Test("A JSON file with null is rejected")
  func jsonWithNull() throws {
    let fixture = try StoreFixture()
    let name = "user/\(StoreFixture.domain).plist"
    try fixture.write([:], to: name)
    try fixture.folder.write(#"{"a": [{"b": null}]}"#, to: name)
    #expect(fixture.store.plistValue(forKey: "a") == nil)
    #expect(fixture.store.problems == [.notPreferences(path: fixture.path(name))])
  }

  @Test("A store pinned to XML rounds dates down as they are set")
  func pinnedToXML() throws {
    let fixture = try StoreFixture(format: .xml)
    let store = fixture.store
    let rounded: PlistValue = .date(Date(timeIntervalSinceReferenceDate: 1))
    store.set(Self.fraction, forKey: "date")
    store.set([["k": Self.fraction]], forKey: "nested")
    #expect(store.plistValue(forKey: "date") == rounded)
    #expect(store.plistValue(forKey: "nested") == [["k": rounded]])
    try store.update { $0["update"] = .date(Self.fraction) }
    #expect(store.plistValue(forKey: "update") == rounded)
    try store.flush()
    #expect(try fixture.read().format == .xml)
    #expect(
      try fixture.read().value == ["date": rounded, "nested": [["k": rounded]], "update": rounded])
    store.setPersistentDomain(["all": Self.fraction], forName: store.domain)
    #expect(store.plistValue(forKey: "all") == rounded)
    try store.flush()
    #expect(try fixture.read().value == ["all": rounded])
    // Before 2001, rounding down is away from zero.
    store.set(Date(timeIntervalSinceReferenceDate: -1.5), forKey: "old")
    #expect(store.object(forKey: "old") as? Date == Date(timeIntervalSinceReferenceDate: -2))
  }

  @Test("A store pinned to binary writes binary from the start")
  func pinnedToBinary() throws {
    let fixture = try StoreFixture(format: .binary)
    fixture.store.set(Float(0.1), forKey: "k")
    try fixture.store.flush()
    #expect(try fixture.read().format == .binary)
    guard case .float? = try fixture.read().value[PlistKeyPath("k")] else {
      Issue.record("not a float")
      return
    }
  }
}
