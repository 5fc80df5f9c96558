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
        import Foundation

        /// Generated from sample.plist
        nonisolated(unsafe) let sample : [String : Any] = [
            "count" : -5,
            "data" : Data(base64Encoded: "AQIDBA==")!,
            "list" : [
                [
                    "a.b" : "deep",
                ],
                true,
            ] as [Any],
            "ratio" : 2.500000,
            "when" : Date(timeIntervalSinceReferenceDate: 725857445.0),
        ]

        """)
    #expect(try folder.text("sample.plist") == PlutilFixture.sample)
    #expect(try folder.names() == ["sample.plist", "sample.swift"])
  }

  @Test("write a constant of Objective-C, beside the file, and a header if asked to")
  func objectiveC() throws {
    let source = """
      #import <Foundation/Foundation.h>

      #if !__has_feature(objc_arc)
      #error "Compile this file with -fobjc-arc."
      #endif

      /// Generated from sample.plist
      __attribute__((visibility("hidden")))
      NSDictionary *sample;

      @interface samplePropertyList : NSObject
      @end

      @implementation samplePropertyList
      + (void)load {
          @autoreleasepool {
              sample = @{
                  @"count" : @-5,
                  @"data" : [[NSData alloc] initWithBase64EncodedString:@"AQIDBA==" options:0],
                  @"list" : @[
                      @{
                          @"a.b" : @"deep",
                      },
                      @YES,
                  ],
                  @"ratio" : @2.500000,
                  @"when" : [NSDate dateWithTimeIntervalSinceReferenceDate:725857445.0],
              };
          }
      }
      @end

      """
    let header = """
      #import <Foundation/Foundation.h>

      /// Generated from sample.plist
      __attribute__((visibility("hidden")))
      extern NSDictionary * const sample;

      """
    try fixture.expect("-convert objc sample.plist")
    #expect(try folder.text("sample.m") == source)
    try fixture.expect("-convert objc -header -o out.m sample.plist")
    #expect(try folder.text("out.m") == source)
    #expect(try folder.text("out.h") == header)
    #expect(try folder.names() == ["out.h", "out.m", "sample.m", "sample.plist"])
  }

  @Test("write a string as a constant expression of Objective-C")
  func objectiveCString() throws {
    try folder.write(try fixture.xml("a\nb"), to: "text.plist")
    try fixture.expect(
      "-convert objc -o - text.plist",
      output: """
        #import <Foundation/Foundation.h>

        /// Generated from text.plist
        __attribute__((visibility("hidden")))
        NSString * const text = @"a\\nb";

        """)
  }

  static let existing: [(line: String, kept: String, remedy: String)] = [
    ("-convert swift sample.plist", "sample.swift", "use -o sample.swift to replace it"),
    ("-convert objc sample.plist", "sample.m", "use -o sample.m to replace it"),
    ("-convert objc -header sample.plist", "sample.h", "remove it first to write it again"),
    ("-convert objc -header -o new.m sample.plist", "new.h", "remove it first to write it again"),
    ("-convert objc -header -e m sample.plist", "sample.h", "remove it first to write it again"),
    ("-extract list objc -header -o x.m sample.plist", "x.h", "remove it first to write it again"),
    ("-create swift new.swift", "new.swift", "use -o new.swift to replace it"),
    ("-create xml1 new.plist", "new.plist", "use -o new.plist to replace it"),
    ("-create objc -header new.m", "new.h", "remove it first to write it again"),
  ]

  @Test("never replace a file that the command line does not name as output", arguments: existing)
  func existingFile(row: (line: String, kept: String, remedy: String)) throws {
    try folder.write("precious", to: row.kept)
    let error = "\(row.kept): file already exists; \(row.remedy)\n"
    try fixture.expect(row.line, error: error, status: 1)
    #expect(try folder.text(row.kept) == "precious")
    #expect(try folder.names() == [row.kept, "sample.plist"].sorted())
    // A link that leads nowhere is also a file.
    try FileManager.default.removeItem(atPath: folder.path(row.kept))
    try folder.link(row.kept, to: "nowhere")
    try fixture.expect(row.line, error: error, status: 1)
    #expect(try folder.names() == [row.kept, "sample.plist"].sorted())
  }

  @Test("replace what -o and -e name, and write the other results beside an existing file")
  func namedFile() throws {
    for name in ["sample.swift", "x.m", "y.plist"] { try folder.write("old", to: name) }
    try folder.write("( 1 )", to: "x.plist")
    try fixture.expect(
      "-convert swift sample.plist x.plist",
      error: "sample.swift: file already exists; use -o sample.swift to replace it\n", status: 1)
    #expect(try folder.text("sample.swift") == "old")
    let source = "/// Generated from x.plist\nlet x = [\n    \"1\",\n]\n"
    #expect(try folder.text("x.swift") == source)
    try fixture.expect("-convert swift -o sample.swift x.plist")
    #expect(try folder.text("sample.swift") == source)
    try fixture.expect("-convert objc -e m x.plist")
    #expect(try folder.text("x.m").hasPrefix("#import <Foundation/Foundation.h>\n"))
    try fixture.expect("-create xml1 -o y.plist y.plist")
    #expect(try folder.text("y.plist") == (try fixture.xml([:])))
  }

  @Test("-create writes the source of an empty dictionary")
  func create() throws {
    try fixture.expect("-create swift new.swift")
    #expect(
      try folder.text("new.swift") == """
        /// Generated from new.swift
        nonisolated(unsafe) let new : [String : Any] = [:]

        """)
    try fixture.expect("-create objc -header new.m")
    // `new` is a keyword of C++.
    #expect(try folder.text("new.m").contains("        new_ = @{};\n"))
    #expect(try folder.text("new.h").hasSuffix("extern NSDictionary * const new_;\n"))
    #expect(try folder.names() == ["new.h", "new.m", "new.swift", "sample.plist"])
    let run = try Plutil.run(["-create", "swift", "-"], in: folder)
    #expect(run.text.hasSuffix("let input : [String : Any] = [:]\n"))
  }

  @Test("are written to standard output for -o -, and for standard input")
  func standardStreams() throws {
    let source = "/// Generated from <stdin>\nlet input = [\n    \"1\",\n]\n"
    try fixture.expect("-convert swift -", input: "( 1 )", output: source)
    try folder.write("( 1 )", to: "x.plist")
    try fixture.expect(
      "-convert swift -o - x.plist",
      output: "/// Generated from x.plist\nlet x = [\n    \"1\",\n]\n")
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
    #expect(run.text.contains("\nlet \(name) = ["))
  }

  private static func replacing(_ input: String) -> String {
    "the output would replace the input \(input); use -o to choose another file"
  }

  static let refused: [(String, String)] = [
    ("-convert swift -o sample.plist sample.plist", replacing("sample.plist")),
    ("-convert swift -o ./sample.plist sample.plist", replacing("sample.plist")),
    ("-convert swift -e plist sample.plist", replacing("sample.plist")),
    ("-convert swift x.swift", replacing("x.swift")),
    ("-convert objc -header x.h", replacing("x.h")),
    (
      "-convert objc -header -o - sample.plist",
      "-header needs a regular file for the source; standard output is not one"
    ),
    ("-convert objc -header -o x.h sample.plist", "x.h would be written twice"),
    ("-convert swift -header sample.plist", "-header can only be used with objc"),
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
      ["a": [.uid(1)]], "a Swift literal cannot represent a UID (key path a.0)",
      "an Objective-C literal cannot represent a UID (key path a.0)"
    ),
    (
      .set([]), "a Swift literal cannot represent a set",
      "an Objective-C literal cannot represent a set"
    ),
    (
      [.null], "a Swift literal cannot represent null (key path 0)",
      "an Objective-C literal cannot represent null (key path 0)"
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
      error: "x.plist: Swift considers two of the keys equal, because they are canonically "
        + "equivalent (key path d)\n", status: 1)
    try fixture.expect("-convert objc x.plist")
  }
}
