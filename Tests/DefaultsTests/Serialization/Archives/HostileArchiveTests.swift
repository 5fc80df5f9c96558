import Defaults
import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("Malformed keyed archives")
struct HostileArchiveTests {
  private static let noteClass: PlistValue = .dictionary([
    "$classname": .string(NSStringFromClass(ArchivedNote.self)),
    "$classes": [.string(NSStringFromClass(ArchivedNote.self)), "NSObject"],
  ])

  private static func kind(_ name: String) -> PlistValue {
    ["$classname": .string(name), "$classes": [.string(name), "NSObject"]]
  }

  /// An archive of objects, of which the one behind nil is the root.
  private static func archive(_ objects: PlistValue..., root: PlistValue = .uid(1)) -> PlistValue {
    [
      "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": root],
      "$objects": .array(["$null"] + objects),
    ]
  }

  private static func note(text: PlistValue = .uid(3), attachment: PlistValue = .uid(0))
    -> PlistValue
  {
    ["$class": .uid(2), "text": text, "attachment": attachment]
  }

  static let archives: [(String, PlistValue)] = [
    ("an object within itself", archive(note(attachment: .uid(1)), noteClass, "x")),
    (
      "objects within each other",
      archive(note(attachment: .uid(4)), noteClass, "x", note(attachment: .uid(1)))
    ),
    (
      "an array within itself",
      archive(
        note(attachment: .uid(4)), noteClass, "x",
        ["$class": .uid(5), "NS.objects": [.uid(4)]], kind("NSArray"))
    ),
    ("no class where the reference leads", archive(["$class": .uid(9)], noteClass)),
    ("a text for a class", archive(["$class": .uid(2)], "x")),
    ("a class without a name", archive(["$class": .uid(2)], ["$classes": ["x"]])),
    ("a class that is a number", archive(["$class": 2], noteClass)),
    ("a class that is not there", archive(["$class": .uid(2)], kind("Nowhere.Nothing"))),
    ("an empty class name", archive(["$class": .uid(2)], kind(""))),
    ("a class name of a dot", archive(["$class": .uid(2)], kind("."))),
    ("a class without secure coding", archive(["$class": .uid(2)], kind("NSProcessInfo"))),
    (
      "an object of another class",
      archive(["$class": .uid(2), "NS.time": 1], kind("NSDate"))
    ),
    (
      "an attribute of another class",
      archive(
        note(text: .uid(4)), noteClass, "x", ["$class": .uid(5), "NS.time": 1], kind("NSDate"))
    ),
    ("a reference into nothing", archive(note(text: .uid(99)), noteClass)),
    (
      "a string without a text",
      archive(note(text: .uid(4)), noteClass, "x", ["$class": .uid(5)], kind("NSString"))
    ),
    (
      "a string of a number",
      archive(
        note(text: .uid(4)), noteClass, "x", ["$class": .uid(5), "NS.string": 5],
        kind("NSMutableString"))
    ),
    ("a root of nil", archive(note(), noteClass, "x", root: .uid(0))),
    ("a root that is not there", archive(note(), noteClass, "x", root: .uid(50))),
    ("a root that is no reference", archive(note(), noteClass, "x", root: "x")),
    ("a root that is a number", archive(7)),
    ("a root that is a class", archive(noteClass)),
    ("a root without a class", archive(["text": "x"])),
    (
      "no root",
      ["$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": [:], "$objects": ["$null"]]
    ),
    (
      "a text for the roots",
      ["$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": "x", "$objects": ["$null"]]
    ),
    (
      "a text for the version",
      [
        "$archiver": "NSKeyedArchiver", "$version": "x", "$top": ["root": .uid(0)],
        "$objects": ["$null"],
      ]
    ),
    (
      "no objects",
      ["$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": .uid(1)]]
    ),
    ("no archive", ["text": "x"]),
    ("another archiver", ["$archiver": "Other", "$objects": []]),
    (
      "no version",
      ["$archiver": "NSKeyedArchiver", "$top": ["root": .uid(0)], "$objects": ["$null"]]
    ),
    (
      "a long chain of objects",
      [
        "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": .uid(1)],
        "$objects": .array(
          ["$null"]
            + (1...2_000).map { index in
              [
                "$class": .uid(2_001), "text": .uid(0),
                "attachment": .uid(index < 2_000 ? UInt32(index) + 1 : 0),
              ]
            } + [noteClass]),
      ]
    ),
  ]

  @Test("A malformed archive is read as the default and reported once")
  func hostileArchives() throws {
    for (name, archive) in Self.archives {
      let data = try Plist.write(archive, as: .binary)
      let fixture = KeyFixture(stored: .data(data))
      let key = fixture.key(default: ArchivedNote("default"))
      #expect(Defaults[key].text == "default", "\(name)")
      #expect(Defaults[key].text == "default", "\(name)")
      #expect(fixture.failures.count == 1, "\(name)")
      #expect(fixture.stored == .data(data), "\(name)")
    }
  }

  @Test("A well-formed archive of the test's own making is read")
  func soundArchive() throws {
    let data = try Plist.write(
      Self.archive(Self.note(), Self.noteClass, "hello"), as: .binary)
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
      try report(Self.archive(["$class": .uid(2)], Self.kind("Nowhere.Nothing"))) == [
        "cannot be read: expected an archive of known classes with secure coding, not of Nowhere.Nothing"
      ])
    #expect(
      try report(Self.archive(Self.note(attachment: .uid(1)), Self.noteClass, "x")) == [
        "cannot be read: expected an archive without circles"
      ])
    #expect(try report(["a": 1]) == ["cannot be read: expected a keyed archive"])
    #expect(
      try report(Self.archive(7)) == ["cannot be read: expected an archive of type ArchivedNote"])
  }
}

extension PlistValue {
  /// How many values there are, containers included.
  fileprivate var nodeCount: Int {
    switch self {
    case .array(let elements): elements.reduce(1) { $0 + $1.nodeCount }
    case .dictionary(let entries): entries.values.reduce(1) { $0 + $1.nodeCount }
    default: 1
    }
  }

  /// The value with one of its values replaced.
  ///
  /// - Parameter position: How many values come before that one; less than none once it has been passed.
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
