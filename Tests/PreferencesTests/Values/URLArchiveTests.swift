import Foundation
import PropertyList
import Testing

@testable import Preferences

@Suite("Archives of URLs")
struct URLArchiveTests {
  private static func url(_ text: String, relativeTo base: String? = nil) throws -> URL {
    try #require(URL(string: text, relativeTo: base.flatMap { URL(string: $0) }))
  }

  @Test(
    "Foundation and Larder read each other's archives",
    arguments: [
      ("https://a.b/c?x=1#f", nil), ("rel/x?q#f", nil), ("rel?x", "http://h/b"),
      ("file:///a%20b", nil),
    ] as [(String, String?)])
  func foundation(text: String, base: String?) throws {
    let url = try Self.url(text, relativeTo: base)
    let theirs = try NSKeyedArchiver.archivedData(
      withRootObject: url as NSURL, requiringSecureCoding: true)
    // Foundation on Linux archives the absolute URL.
    #expect(URLCoding.url(from: .data(theirs))?.absoluteString == url.absoluteString)

    guard case .data(let ours) = URLCoding.value(for: url) else { return }
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSURL.self, from: ours)
    #expect(read?.absoluteString == url.absoluteString)
  }

  fileprivate static let kind: PlistValue = [
    "$classname": "NSURL", "$classes": ["NSURL", "NSObject"],
  ]

  fileprivate static func archive(
    _ objects: [PlistValue], root: PlistValue = .uid(1), archiver: PlistValue = "NSKeyedArchiver"
  ) throws -> PlistValue {
    .data(
      try Plist.write(
        [
          "$archiver": archiver, "$version": 100_000, "$top": ["root": root],
          "$objects": .array(objects),
        ], as: .binary))
  }

  fileprivate static func object(
    relative: PlistValue? = .uid(2), base: PlistValue? = .uid(0), kind: PlistValue? = .uid(3)
  ) -> PlistValue {
    var object: PlistDictionary = [:]
    object["NS.relative"] = relative
    object["NS.base"] = base
    object["$class"] = kind
    return .dictionary(object)
  }

  @Test("An archived URL may have a base, which may have one of its own")
  func archives() throws {
    func read(_ object: PlistValue, _ others: PlistValue...) throws -> URL? {
      URLCoding.url(from: try Self.archive(["$null", object, "x?q", Self.kind] + others))
    }
    #expect(try read(Self.object())?.absoluteString == "x?q")
    #expect(try read(Self.object(base: nil))?.absoluteString == "x?q")
    let middle = Self.object(relative: .uid(5), base: .uid(6))
    let outer = Self.object(relative: .uid(7))
    let url = try read(Self.object(base: .uid(4)), middle, "b/", outer, "http://h/a/")
    #expect(url?.absoluteString == "http://h/a/b/x?q")
    #expect(url?.relativeString == "x?q")
  }

  /// An archive that differs from a well-formed one in a single part.
  struct Malformed: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var object = URLArchiveTests.object()
    var text: PlistValue = "http://h"
    var kind = URLArchiveTests.kind
    var root: PlistValue = .uid(1)
    var archiver: PlistValue = "NSKeyedArchiver"

    init(_ description: String, change: (inout Malformed) -> Void) {
      testDescription = description
      change(&self)
    }

    /// An archive with another object.
    init(object: PlistValue) {
      self.init("object \(object)") { $0.object = object }
    }

    func data() throws -> PlistValue {
      try archive(["$null", object, text, kind], root: root, archiver: archiver)
    }
  }

  private static let malformed: [Malformed] =
    ([
      "x", [:], [], 1, .uid(1), object(relative: nil), object(relative: "http://h"),
      object(relative: .uid(0x7FFF_FFFF)), object(relative: .uid(.max)),
      object(relative: .uid(1)), object(relative: 2), object(base: .uid(4)),
      object(base: .uid(2)), object(base: .uid(3)), object(base: .null),
      object(base: "http://h"), object(kind: nil), object(kind: .uid(2)),
      object(kind: .uid(.max)), object(kind: kind),
      // Its own base.
      object(base: .uid(1)),
    ] as [PlistValue]).map { Malformed(object: $0) }
    + [
      Malformed("number as text") { $0.text = 5 },
      Malformed("malformed text") { $0.text = "http://[" },
      Malformed("another class") { $0.kind = ["$classname": "NSString"] },
      Malformed("string as class") { $0.kind = "NSURL" },
      Malformed("empty class") { $0.kind = [:] },
      Malformed("root 0") { $0.root = .uid(0) },
      Malformed("root 2") { $0.root = .uid(2) },
      Malformed("missing root") { $0.root = .uid(9) },
      Malformed("number as root") { $0.root = 1 },
      Malformed("string as root") { $0.root = "x" },
      Malformed("another archiver") { $0.archiver = "NSArchiver" },
      Malformed("number as archiver") { $0.archiver = 1 },
    ]

  @Test("A well-formed archive of the test's own making is read")
  func wellFormed() throws {
    #expect(URLCoding.url(from: try Malformed("nothing") { _ in }.data()) != nil)
  }

  @Test("A malformed archive is rejected", arguments: malformed)
  func malformedArchives(archive: Malformed) throws {
    #expect(URLCoding.url(from: try archive.data()) == nil)
  }

  @Test(
    "A property list that is not an archive is rejected",
    arguments: [
      "http://h", [:], [], ["$archiver": "NSKeyedArchiver"],
      ["$archiver": "NSKeyedArchiver", "$objects": [], "$top": ["root": .uid(0)]],
      ["$archiver": "NSKeyedArchiver", "$objects": [:], "$top": ["root": .uid(0)]],
      ["$archiver": "NSKeyedArchiver", "$objects": ["$null"], "$top": .uid(0)],
    ] as [PlistValue])
  func otherPropertyLists(document: PlistValue) throws {
    let data = try Plist.write(document, as: .binary)
    #expect(URLCoding.url(from: .data(data)) == nil)
  }

  @Test(
    "Data that is not an archive is rejected",
    arguments: ["", "bplist00", "http://h", "/a", "<true/>", "{a=b;}", "\0\u{1}\u{2}"])
  func otherData(text: String) {
    #expect(URLCoding.url(from: .data(Data(text.utf8))) == nil)
  }

  @Test("A truncated archive is rejected, and no flipped bit crashes the process")
  func damagedArchives() throws {
    let url = try Self.url("rel?x", relativeTo: "http://h/b")
    guard case .data(let archive) = URLCoding.value(for: url) else {
      Issue.record("not an archive")
      return
    }
    for length in 0..<archive.count {
      #expect(URLCoding.url(from: .data(archive.prefix(length))) == nil)
    }
    for bit in 0..<archive.count * 8 {
      var data = archive
      data[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = URLCoding.url(from: .data(data))
    }
  }

  @Test("A long or endless chain of bases is rejected", .timeLimit(.minutes(1)))
  func baseChain() throws {
    let count: UInt32 = 10_000
    var objects: [PlistValue] = ["$null", "x/", Self.kind]
    for index in 0..<count {
      objects.append(Self.object(relative: .uid(1), base: .uid(index + 4), kind: .uid(2)))
    }
    #expect(URLCoding.url(from: try Self.archive(objects, root: .uid(3))) == nil)
    objects.append(Self.object(relative: .uid(1), base: .uid(3), kind: .uid(2)))
    #expect(URLCoding.url(from: try Self.archive(objects, root: .uid(3))) == nil)
  }
}
