import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil -convert swift and objc")
struct PlutilLiteralTests {
  private let fixture: PlutilFixture
  private var folder: TemporaryFolder { fixture.folder }

  init() throws {
    fixture = try PlutilFixture()
  }

  @Test("write a constant of Swift, beside the file")
  func swift() throws {
    try fixture.expect("-convert swift sample.plist")
    #expect(
      try folder.text("sample.swift") == """
        // Made by plutil from sample.plist.
        import Foundation

        nonisolated(unsafe) let sample: [String: Any] = [
          "count": -5,
          "data": Data(base64Encoded: "AQIDBA==")!,
          "list": [
            [
              "a.b": "deep",
            ] as [String: String],
            true,
          ] as [Any],
          "ratio": 2.5,
          "when": Date(timeIntervalSinceReferenceDate: 725857445.0),
        ]

        """)
    #expect(try folder.text("sample.plist") == PlutilFixture.sample)
    #expect(try folder.names() == ["sample.plist", "sample.swift"])
  }

  @Test("write a function of Objective-C, beside the file, and a header if asked to")
  func objectiveC() throws {
    let body = """
      NSDictionary *samplePropertyList(void) {
        return @{
          @"count": @-5,
          @"data": [[NSData alloc] initWithBase64EncodedString:@"AQIDBA==" options:0],
          @"list": @[
            @{
              @"a.b": @"deep",
            },
            @YES,
          ],
          @"ratio": @(2.5),
          @"when": [NSDate dateWithTimeIntervalSinceReferenceDate:725857445.0],
        };
      }

      """
    let heading = """
      // Made by plutil from sample.plist.
      #import <Foundation/Foundation.h>

      NSDictionary *samplePropertyList(void);

      """
    try fixture.expect("-convert objc sample.plist")
    #expect(try folder.text("sample.m") == heading + "\n" + body)
    try fixture.expect("-convert objc -header -o out.m sample.plist")
    #expect(
      try folder.text("out.m") == """
        // Made by plutil from sample.plist.
        #import "out.h"


        """ + body)
    #expect(try folder.text("out.h") == heading)
    #expect(try folder.names() == ["out.h", "out.m", "sample.m", "sample.plist"])
  }

  @Test("are written to standard output for -o -, and for standard input")
  func standardStreams() throws {
    let source = "// Made by plutil from <stdin>.\n\nlet input: [String] = [\n  \"1\",\n]\n"
    try fixture.expect("-convert swift -", input: "( 1 )", output: source)
    try folder.write("( 1 )", to: "x.plist")
    try fixture.expect(
      "-convert swift -o - x.plist",
      output: "// Made by plutil from x.plist.\n\nlet x: [String] = [\n  \"1\",\n]\n")
    #expect(try folder.names() == ["sample.plist", "x.plist"])
  }

  static let names: [(file: String, swift: String)] = [
    ("class.plist", "class_"), ("Date.plist", "Date_"), ("a-b c.plist", "a_b_c"),
    ("2024.plist", "plist_2024"), ("日本.plist", "plist___"), ("é.plist", "plist__"),
    (".hidden", "plist__hidden"), ("x.y.plist", "x_y"), ("_.plist", "plist__"),
  ]

  @Test("name the value after the file", arguments: names)
  func name(file: String, name: String) throws {
    try folder.write("( 1 )", to: file)
    let run = try Plutil.run(["-convert", "swift", "-o", "-", file], in: folder)
    #expect(run.text.contains("\nlet \(name): [String] = ["))
  }

  static let refused: [(String, String)] = [
    ("-convert swift -o sample.plist sample.plist", "the result would replace sample.plist itself"),
    (
      "-convert swift -o ./sample.plist sample.plist",
      "the result would replace sample.plist itself"
    ),
    ("-convert swift -e plist sample.plist", "the result would replace sample.plist itself"),
    ("-convert swift x.swift", "the result would replace x.swift itself"),
    ("-convert objc -header x.h", "the result would replace x.h itself"),
    (
      "-convert objc -header -o - sample.plist",
      "-header writes a file beside the result; standard output has none"
    ),
    ("-convert objc -header -o x.h sample.plist", "x.h would be written twice"),
    ("-convert objc -header -o a\".m sample.plist", "a\".h is no name that #import could have"),
    ("-convert swift -header sample.plist", "-header goes with objc"),
  ]

  @Test("never replace a property list", arguments: refused)
  func protection(line: String, message: String) throws {
    for name in ["x.swift", "x.h"] { try folder.write("( 1 )", to: name) }
    try fixture.expectUsageError(line, message)
    #expect(try folder.text("sample.plist") == PlutilFixture.sample)
    #expect(try folder.names() == ["sample.plist", "x.h", "x.swift"])
  }

  static let unrepresentable: [(PlistValue, String, String)] = [
    (
      ["a": [.uid(1)]], "a Swift literal cannot hold a UID (key path a.0)",
      "an Objective-C literal cannot hold a UID (key path a.0)"
    ),
    (
      .set([]), "a Swift literal cannot hold a set", "an Objective-C literal cannot hold a set"
    ),
    (
      [.null], "a Swift literal cannot hold null (key path 0)",
      "an Objective-C literal cannot hold null (key path 0)"
    ),
  ]

  @Test("reject values without a literal", arguments: unrepresentable)
  func refusal(value: PlistValue, swift: String, objectiveC: String) throws {
    try folder.write(try Plist.write(value, as: .binary), to: "x.plist")
    try fixture.expect("-convert swift x.plist", error: "x.plist: \(swift)\n", status: 1)
    try fixture.expect("-convert objc x.plist", error: "x.plist: \(objectiveC)\n", status: 1)
    #expect(try folder.names() == ["sample.plist", "x.plist"])
  }

  @Test("reject keys that are equal in Swift")
  func equivalentKeys() throws {
    let value: PlistValue = ["d": ["\u{E9}": 1, "e\u{301}": 2]]
    try folder.write(try Plist.write(value, as: .binary), to: "x.plist")
    try fixture.expect(
      "-convert swift x.plist",
      error: "x.plist: Swift takes two keys for the same, being canonically equivalent "
        + "(key path d)\n", status: 1)
    try fixture.expect("-convert objc x.plist")
  }
}
