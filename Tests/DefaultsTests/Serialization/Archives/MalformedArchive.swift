import Defaults
import Foundation
import PropertyList
import Testing

/// A keyed archive that no archiver would write.
struct MalformedArchive: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let value: PlistValue

  init(_ description: String, _ value: PlistValue) {
    testDescription = description
    self.value = value
  }

  static let noteClass: PlistValue = .dictionary([
    "$classname": .string(NSStringFromClass(ArchivedNote.self)),
    "$classes": [.string(NSStringFromClass(ArchivedNote.self)), "NSObject"],
  ])

  static func kind(_ name: String) -> PlistValue {
    ["$classname": .string(name), "$classes": [.string(name), "NSObject"]]
  }

  /// An archive of objects, the first of which is the root.
  static func archive(_ objects: PlistValue..., root: PlistValue = .uid(1)) -> PlistValue {
    [
      "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": root],
      "$objects": .array(["$null"] + objects),
    ]
  }

  static func note(text: PlistValue = .uid(3), attachment: PlistValue = .uid(0))
    -> PlistValue
  {
    ["$class": .uid(2), "text": text, "attachment": attachment]
  }

  static let all: [MalformedArchive] = [
    MalformedArchive("an object within itself", archive(note(attachment: .uid(1)), noteClass, "x")),
    MalformedArchive(
      "objects within each other",
      archive(note(attachment: .uid(4)), noteClass, "x", note(attachment: .uid(1)))
    ),
    MalformedArchive(
      "an array within itself",
      archive(
        note(attachment: .uid(4)), noteClass, "x",
        ["$class": .uid(5), "NS.objects": [.uid(4)]], kind("NSArray"))
    ),
    MalformedArchive("no class where the reference leads", archive(["$class": .uid(9)], noteClass)),
    MalformedArchive("a text for a class", archive(["$class": .uid(2)], "x")),
    MalformedArchive("a class without a name", archive(["$class": .uid(2)], ["$classes": ["x"]])),
    MalformedArchive("a class that is a number", archive(["$class": 2], noteClass)),
    MalformedArchive(
      "a class that is not there", archive(["$class": .uid(2)], kind("Nowhere.Nothing"))),
    MalformedArchive("an empty class name", archive(["$class": .uid(2)], kind(""))),
    MalformedArchive("a class name of a dot", archive(["$class": .uid(2)], kind("."))),
    MalformedArchive(
      "a class without secure coding", archive(["$class": .uid(2)], kind("NSProcessInfo"))),
    MalformedArchive(
      "an object of another class",
      archive(["$class": .uid(2), "NS.time": 1], kind("NSDate"))
    ),
    MalformedArchive(
      "an attribute of another class",
      archive(
        note(text: .uid(4)), noteClass, "x", ["$class": .uid(5), "NS.time": 1], kind("NSDate"))
    ),
    MalformedArchive("a reference into nothing", archive(note(text: .uid(99)), noteClass)),
    MalformedArchive(
      "a string without a text",
      archive(note(text: .uid(4)), noteClass, "x", ["$class": .uid(5)], kind("NSString"))
    ),
    MalformedArchive(
      "a string of a number",
      archive(
        note(text: .uid(4)), noteClass, "x", ["$class": .uid(5), "NS.string": 5],
        kind("NSMutableString"))
    ),
    MalformedArchive("a root of nil", archive(note(), noteClass, "x", root: .uid(0))),
    MalformedArchive("a root that is not there", archive(note(), noteClass, "x", root: .uid(50))),
    MalformedArchive("a root that is no reference", archive(note(), noteClass, "x", root: "x")),
    MalformedArchive("a root that is a number", archive(7)),
    MalformedArchive("a root that is a class", archive(noteClass)),
    MalformedArchive("a root without a class", archive(["text": "x"])),
    MalformedArchive(
      "no root",
      ["$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": [:], "$objects": ["$null"]]
    ),
    MalformedArchive(
      "a text for the roots",
      ["$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": "x", "$objects": ["$null"]]
    ),
    MalformedArchive(
      "a text for the version",
      [
        "$archiver": "NSKeyedArchiver", "$version": "x", "$top": ["root": .uid(0)],
        "$objects": ["$null"],
      ]
    ),
    MalformedArchive(
      "no objects",
      ["$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": .uid(1)]]
    ),
    MalformedArchive("no archive", ["text": "x"]),
    MalformedArchive("another archiver", ["$archiver": "Other", "$objects": []]),
    MalformedArchive(
      "no version",
      ["$archiver": "NSKeyedArchiver", "$top": ["root": .uid(0)], "$objects": ["$null"]]
    ),
    MalformedArchive(
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
}
