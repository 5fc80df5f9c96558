import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

/// Domains whose values are small only because they share parts.
@Suite("A store whose values share parts")
struct SharedPartsTests {
  /// A value of a few dozen containers that occur millions of times.
  private static func bomb(levels: Int) -> PlistValue {
    var value: PlistValue = "a"
    for _ in 0..<levels { value = [value, value] }
    return value
  }

  @Test("keeps the file small when another key is set", arguments: [PlistFormat.binary, nil])
  func commit(format: PlistFormat?) throws {
    let fixture = try StoreFixture(format: format)
    let bomb = Self.bomb(levels: 17)
    try fixture.write(
      ["bomb": bomb], to: "user/\(StoreFixture.domain).plist", as: .binary)
    fixture.store.set(1, forKey: "other")
    try fixture.store.flush()
    let data = try fixture.folder.data("user/\(StoreFixture.domain).plist")
    #expect(PlistFormat(detecting: data) == .binary)
    #expect(data.count < 300)
    #expect(try Plist.read(data).value == ["bomb": bomb, "other": 1])
    #expect(fixture.store.plistValue(forKey: "bomb") != nil)
    #expect((fixture.store.object(forKey: "bomb") as? [Any])?.count == 2)
  }

  @Test("refuses to write such a value as XML, and becomes binary where it may")
  func text() throws {
    let fixture = try StoreFixture(format: .xml)
    fixture.store.set(["a": Self.bomb(levels: 22)], forKey: "bomb")
    #expect {
      try fixture.store.flush()
    } throws: { error in
      "\(error)".contains(
        "the text would be larger than 16777216 bytes and more than 32 times the binary form")
    }
    fixture.store.removeObject(forKey: "bomb")
    try fixture.store.flush()

    let free = try StoreFixture()
    free.store.set(["a": Self.bomb(levels: 22)], forKey: "bomb")
    try free.store.flush()
    #expect(try free.read().format == .binary)
  }

  @Test("rounds the dates of shared parts once")
  func rounding() {
    var value: PlistValue = .date(Date(timeIntervalSinceReferenceDate: 1.5))
    for _ in 0..<22 { value = [value, 1, value] }
    guard case .array(let elements) = value.withWholeSeconds else { return }
    var last = PlistValue.array(elements)
    while case .array(let inner) = last { last = inner[2] }
    #expect(last == .date(Date(timeIntervalSinceReferenceDate: 1)))
  }
}
