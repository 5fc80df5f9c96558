import Foundation
import PropertyList
import TestSupport
import Testing

/// Stands for a person in archives.
final class ArchivedPerson: NSObject, NSSecureCoding {
  static let supportsSecureCoding = true
  let name: String
  var friends: [ArchivedPerson] = []
  var bestFriend: ArchivedPerson?

  init(name: String) {
    self.name = name
  }

  func encode(with coder: NSCoder) {
    coder.encode(name as NSString, forKey: "name")
    coder.encode(NSArray(array: friends), forKey: "friends")
    coder.encode(bestFriend, forKey: "bestFriend")
    coder.encode(3, forKey: "visits")
  }

  init?(coder: NSCoder) { nil }
}

@Suite("plutil -p -graph")
struct PlutilGraphTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes an archive with these objects after the null object, and this one at its top.
  private func write(
    _ objects: [PlistValue], top: PlistDictionary = ["root": .uid(1)], as format: PlistFormat = .xml
  ) throws {
    let archive: PlistValue = [
      "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": .dictionary(top),
      "$objects": .array(["$null"] + objects),
    ]
    try folder.write(Plist.write(archive, as: format), to: "archive")
  }

  private func expect(
    _ line: String = "-p -graph archive", output: String = "", error: String = "",
    status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try Plutil.program.expect(
      line.split(separator: " ").map(String.init), in: folder, output: output, error: error,
      status: status, sourceLocation: sourceLocation)
  }

  @Test("shows what Foundation has archived, with references to objects that were shown")
  func foundation() throws {
    let (ada, eve) = (ArchivedPerson(name: "Ada"), ArchivedPerson(name: "Eve"))
    ada.friends = [eve]
    eve.bestFriend = ada
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(ada, forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    try folder.write(archiver.encodedData, to: "archive")
    try expect(
      output: """
        {
          "root" => PropertyListCommandsTests.ArchivedPerson #1 {
            "bestFriend" => null
            "friends" => NSArray [
              0 => PropertyListCommandsTests.ArchivedPerson {
                "bestFriend" => #1 (PropertyListCommandsTests.ArchivedPerson)
                "friends" => NSArray [
                ]
                "name" => "Eve"
                "visits" => 3
              }
            ]
            "name" => "Ada"
            "visits" => 3
          }
        }

        """)
    try expect(
      "-p -graph --json archive",
      output: """
        {
          "root" : {
            "$class" : "PropertyListCommandsTests.ArchivedPerson",
            "$id" : 1,
            "bestFriend" : null,
            "friends" : [
              {
                "$class" : "PropertyListCommandsTests.ArchivedPerson",
                "bestFriend" : {
                  "$ref" : 1
                },
                "friends" : [

                ],
                "name" : "Eve",
                "visits" : 3
              }
            ],
            "name" : "Ada",
            "visits" : 3
          }
        }

        """)
  }

  @Test("shows the values of Foundation's classes", arguments: [PlistFormat.xml, .binary])
  func values(format: PlistFormat) throws {
    func type(_ name: String) -> PlistValue {
      ["$classname": .string(name), "$classes": [.string(name), "NSObject"]]
    }
    try write(
      [
        [
          "$class": .uid(20), "a string": .uid(2), "a date": .uid(3), "data": .uid(4),
          "url": .uid(5),
          "uuid": .uid(6), "null": .uid(0), "set": .uid(8), "dictionary": .uid(9),
          "number": .uid(10),
          "plain": ["x": [.uid(2)]], "gone": .uid(99),
        ],
        ["$class": .uid(21), "NS.string": "Ada"],
        ["$class": .uid(22), "NS.time": 0.0],
        ["$class": .uid(23), "NS.data": .data(Data([1, 2]))],
        ["$class": .uid(24), "NS.base": .uid(0), "NS.relative": .uid(7)],
        ["$class": .uid(25), "NS.uuidbytes": .data(Data(0..<16))],
        "https://example.org",
        ["$class": .uid(26), "NS.object.0": .uid(2), "NS.object.1": .uid(10)],
        [
          "$class": .uid(27), "NS.keys": [.uid(7), .uid(10), .uid(6)],
          "NS.objects": [.uid(10), .uid(2), .uid(0)],
        ],
        5, "", "", "", "", "", "", "", "", "",
        type("Sample"), type("NSMutableString"), type("NSDate"), type("NSMutableData"),
        type("NSURL"),
        type("NSUUID"), type("NSSet"), type("NSDictionary"),
      ], as: format)
    try expect(
      output: """
        {
          "root" => Sample {
            "a date" => 2001-01-01 00:00:00 +0000
            "a string" => "Ada"
            "data" => {length = 2, bytes = 0x0102}
            "dictionary" => NSDictionary {
              "https://example.org" => 5
              5 => "Ada"
              key 2 => NSUUID "00010203-0405-0607-0809-0A0B0C0D0E0F"
              value 2 => null
            }
            "gone" => #99 (missing)
            "null" => null
            "number" => 5
            "plain" => {
              "x" => [
                0 => "Ada"
              ]
            }
            "set" => NSSet [
              0 => "Ada"
              1 => 5
            ]
            "url" => NSURL "https://example.org"
            "uuid" => NSUUID "00010203-0405-0607-0809-0A0B0C0D0E0F"
          }
        }

        """)
  }

  @Test("shows a long list of objects, each of which refers to the next, level by level")
  func chain() throws {
    let count = 1000
    var objects: [PlistValue] = (1...count).map { number in
      ["$class": .uid(UInt32(count + 1)), "next": .uid(number < count ? UInt32(number + 1) : 0)]
    }
    objects.append(["$classname": "Link", "$classes": ["Link"]])
    try write(objects, as: .binary)
    let run = try Plutil.run(["-p", "-graph", "archive"], in: folder)
    #expect(run.status == 0)
    #expect(run.text.matches(of: #/=> Link /#).count == count)
    #expect(run.text.contains("\n#65 => Link #65 {\n"))
    let json = try Plutil.run(["-p", "-graph", "--json", "archive"], in: folder)
    #expect(json.status == 0)
    let value = try Plist.read(json.output, as: .json).value
    #expect(value[PlistKeyPath(#"$objects.65.next.next.$class"#)] == "Link")
  }

  @Test("shows objects that contain themselves, and damaged archives")
  func odd() throws {
    try write([["$class": .uid(1), "self": .uid(1)]])
    try expect(
      output: """
        {
          "root" => #1 {
            "$class" => #1
            "self" => #1
          }
        }

        """)
    try write(
      [["$class": .uid(2), "NS.objects": "none"], ["$classname": "NSArray"], .uid(1)],
      top: ["b": .uid(3), "a": .uid(1), "c": 5])
    try expect(
      output: """
        {
          "a" => NSArray #1 {
            "NS.objects" => "none"
          }
          "b" => #3 (missing)
          "c" => 5
        }

        """)
  }

  @Test("shows archives in data with -expand")
  func inData() throws {
    try write([["$class": .uid(2), "n": 1], ["$classname": "Note"]])
    let archive = try folder.data("archive")
    try folder.write(Plist.write(["d": .data(archive)], as: .binary), to: "outer")
    try expect(
      "-p -graph -expand outer",
      output: """
        {
          "d" => {length = \(archive.count), property list (XML)} =>
            {
              "root" => Note {
                "n" => 1
              }
            }
        }

        """)
    try expect(
      "-p -graph outer", error: "outer: not a keyed archive; -p prints it without -graph\n",
      status: 1)
    try expect(
      "-p --json outer",
      error:
        "plutil: --json can only be used with -graph; -convert json writes property lists (see plutil -help)\n",
      status: 1)
  }
}
