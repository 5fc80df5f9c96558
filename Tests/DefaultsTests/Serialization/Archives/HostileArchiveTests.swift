import Defaults
import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("Malformed keyed archives")
struct HostileArchiveTests {
  @Test(
    "A malformed archive is read as the default and reported once", arguments: MalformedArchive.all)
  func malformed(archive: MalformedArchive) throws {
    let data = try Plist.write(archive.value, as: .binary)
    let fixture = KeyFixture(stored: .data(data))
    let key = fixture.key(default: ArchivedNote("default"))
    #expect(Defaults[key].text == "default")
    #expect(Defaults[key].text == "default")
    #expect(fixture.failures.count == 1)
    #expect(fixture.stored == .data(data))
  }

  @Test("A well-formed archive of the test's own making is read")
  func soundArchive() throws {
    let data = try Plist.write(
      MalformedArchive.archive(MalformedArchive.note(), MalformedArchive.noteClass, "hello"),
      as: .binary)
    #expect(
      Defaults[KeyFixture(stored: .data(data)).key(default: ArchivedNote(""))].text == "hello")
  }

  @Test("A truncated archive is read as the default")
  func truncated() throws {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: ArchivedNote("old", attachment: [1, "two"]), requiringSecureCoding: true)
    for length in 0..<data.count {
      let fixture = KeyFixture(stored: .data(data.prefix(length)))
      #expect(Defaults[fixture.key(default: ArchivedNote("default"))].text == "default")
    }
  }

  @Test("An archive with one value replaced does not crash the process", arguments: 0..<8)
  func changedArchives(seed: Int) throws {
    let note = ArchivedNote(
      "note",
      attachment: [
        ["a": 1.5, "b": [true, Date.distantPast]], NSSet(array: ["x", 2]), NSData(data: Data([1])),
        NSURL(string: "x:y")!, NSUUID(), NSLocale(localeIdentifier: "de"), NSNull(),
        NSTimeZone(name: "GMT")!, ArchivedNote("inner"), NSOrderedSet(array: [1]),
        NSMutableString(string: "m"), NSIndexSet(index: 3), NSDictionary(), NSSet(),
        NSNumber(value: 3), NSDateComponents(), NSCalendar(identifier: .gregorian)!,
        NSPersonNameComponents(), NSValue(range: NSRange(location: 1, length: 2)),
      ] as [Any])
    let data = try NSKeyedArchiver.archivedData(withRootObject: note, requiringSecureCoding: true)
    let archive = try Plist.read(data, as: .binary).value
    var generator = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<50 {
      var position = Int.random(in: 0..<archive.nodeCount, using: &generator)
      let changed = archive.replacing(node: &position) {
        Self.replacements.randomElement(using: &generator)!
      }
      let data = try Plist.write(changed, as: .binary)
      let fixture = KeyFixture(stored: .data(data))
      _ = Defaults[fixture.key(default: ArchivedNote("default"))].text
      #expect(fixture.stored == .data(data))
    }
  }

  private static let replacements: [PlistValue] = [
    0, -1, .integer(.max), .real(.nan), true, "", "$null", "NSArray", .uid(0), .uid(1), .uid(5),
    .uid(.max), .data(Data()), .data(Data(repeating: 7, count: 40)), [], [.uid(0)], [1], [:],
    ["$class": .uid(3)], .date(.distantPast),
  ]

  @Test("The report says what is wrong with an archive")
  func texts() throws {
    func report(_ archive: PlistValue) throws -> [String] {
      let fixture = KeyFixture(stored: .data(try Plist.write(archive, as: .binary)))
      _ = Defaults[fixture.key(default: ArchivedNote(""))]
      return fixture.reports
    }
    #expect(
      try report(
        MalformedArchive.archive(["$class": .uid(2)], MalformedArchive.kind("Nowhere.Nothing")))
        == [
          "cannot be read: expected an archive of known classes with secure coding, not of Nowhere.Nothing"
        ])
    #expect(
      try report(
        MalformedArchive.archive(
          MalformedArchive.note(attachment: .uid(1)), MalformedArchive.noteClass, "x")) == [
          "cannot be read: expected an archive without reference cycles"
        ])
    #expect(try report(["a": 1]) == ["cannot be read: expected a keyed archive"])
    #expect(
      try report(MalformedArchive.archive(7)) == [
        "cannot be read: expected an archive of type ArchivedNote"
      ])
  }
}

extension PlistValue {
  /// The number of values, including containers.
  fileprivate var nodeCount: Int {
    switch self {
    case .array(let elements): elements.reduce(1) { $0 + $1.nodeCount }
    case .dictionary(let entries): entries.values.reduce(1) { $0 + $1.nodeCount }
    default: 1
    }
  }

  /// The value with one of its values replaced.
  ///
  /// - Parameter position: The number of values before that one; negative once it has been passed.
  fileprivate func replacing(node position: inout Int, by other: () -> PlistValue) -> PlistValue {
    position -= 1
    if position == -1 { return other() }
    switch self {
    case .array(let elements):
      return .array(elements.map { $0.replacing(node: &position, by: other) })
    case .dictionary(let entries):
      return .dictionary(
        PlistDictionary(entries.map { ($0.key, $0.value.replacing(node: &position, by: other)) }))
    default: return self
    }
  }
}
