import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil -extract and -type")
struct PlutilExtractTests {
  private let fixture: PlutilFixture
  private var folder: TemporaryFolder { fixture.folder }

  init() throws {
    fixture = try PlutilFixture()
  }

  static let raw: [(path: String, value: String, type: String)] = [
    ("count", "-5", "integer"), ("data", "AQIDBA==", "data"), ("list", "2", "array"),
    ("list.0", "a.b", "dictionary"), (#"list.0.a\.b"#, "deep", "string"),
    ("list.1", "true", "bool"),
    ("ratio", "2.500000", "float"), ("when", "2024-01-02T03:04:05Z", "date"),
  ]

  @Test("-extract raw prints a value, -type its type", arguments: raw)
  func extractRaw(path: String, value: String, type: String) throws {
    try fixture.expect("-extract \(path) raw sample.plist", output: value + "\n")
    try fixture.expect("-extract \(path) raw -o out sample.plist")
    #expect(try folder.text("out") == value)
    try fixture.expect("-type \(path) sample.plist", output: type + "\n")
  }

  @Test("-extract and -type find in a binary file what they find in XML", arguments: raw)
  func extractFromBinary(path: String, value: String, type: String) throws {
    try fixture.expect("-convert binary1 sample.plist")
    try fixture.expect("-extract \(path) raw sample.plist", output: value + "\n")
    try fixture.expect("-type \(path) sample.plist", output: type + "\n")
    let extracted = try Plutil.run(["-extract", path, "binary1", "sample.plist"], in: folder)
    let whole = try Plist.read(folder.data("sample.plist")).value
    #expect(try Plist.read(extracted.output).value == whole[PlistKeyPath(path)])
  }

  @Test(
    "-extract and -type ignore damage elsewhere in a binary file, and report damage on the way"
  )
  func damageElsewhere() throws {
    var data = try Plist.write(["bad": ["text"], "good": 1], as: .binary)
    let text = try #require(data.range(of: Data("text".utf8)))
    data[text.lowerBound - 1] = 0x74
    try folder.write(data, to: "damaged.plist")
    let message =
      "damaged.plist: byte \(text.lowerBound - 1): the object type 0x74 is not supported"
    try fixture.expect("-extract good raw damaged.plist", output: "1\n")
    try fixture.expect("-type good damaged.plist", output: "integer\n")
    try fixture.expect("-type bad damaged.plist", output: "array\n")
    try fixture.expect(
      "-extract bad xml1 damaged.plist", error: message + " (key path bad.0)\n", status: 1)
    try fixture.expect("-lint damaged.plist", error: message + " (key path bad.0)\n", status: 1)
    try fixture.expect(
      "-extract worse raw damaged.plist",
      error: "damaged.plist: \(Self.missing) worse\n", status: 1)
  }

  @Test("-extract writes a value as a property list and leaves the file alone")
  func extract() throws {
    let list: PlistValue = [["a.b": "deep"], true]
    try fixture.expect("-extract list xml1 sample.plist", output: try fixture.xml(list))
    try fixture.expect("-extract list binary1 -o list.plist sample.plist")
    #expect(try Plist.read(folder.data("list.plist")).value == list)
    try fixture.expect("-extract list xml1 -e list sample.plist")
    #expect(try folder.text("sample.list") == (try fixture.xml(list)))
    #expect(try folder.text("sample.plist") == PlutilFixture.sample)
    let root = try Plutil.run(["-extract", "", "raw", "sample.plist"], in: folder)
    #expect(root.text == "count\ndata\nlist\nratio\nwhen\n")
    let same = try Plutil.run(["-extract", "", "xml1", "sample.plist"], in: folder)
    #expect(same.text == PlutilFixture.sample)
  }

  private static let missing =
    "Could not extract value, error: No value at that key path or invalid key path:"

  static let missingPaths = [
    "list.2", "list.0.x.y", "count.x", "ratio.0", "x.y", "list.-1", #"list.0.a\.b.c"#,
  ]

  @Test(
    "a key path without a value is reported in Apple's words",
    arguments: missingPaths, ["xml1", "binary1"])
  func missing(path: String, format: String) throws {
    let message = "sample.plist: \(Self.missing) \(path)\n"
    try fixture.expect("-convert \(format) sample.plist")
    try fixture.expect("-extract \(path) raw sample.plist", error: message, status: 1)
    try fixture.expect("-extract \(path) xml1 -o out sample.plist", error: message, status: 1)
    try fixture.expect("-type \(path) sample.plist", error: message, status: 1)
    #expect(try folder.names() == ["sample.plist"])
  }

  @Test("-extract writes every format")
  func formats() throws {
    try fixture.expect("-extract list json sample.plist", output: #"[{"a.b":"deep"},true]"#)
    try fixture.expect("-extract list json -n sample.plist", output: #"[{"a.b":"deep"},true]"#)
    try fixture.expect(
      "-extract list json -r sample.plist",
      output: "[\n  {\n    \"a.b\" : \"deep\"\n  },\n  true\n]")
    try fixture.expect(
      "-extract list.0 openstep sample.plist", output: "{\n\ta.b = deep;\n}\n")
    try fixture.expect(
      "-extract list.0 swift sample.plist",
      output: """
        /// Generated from sample.plist
        let sample = [
            "a.b" : "deep",
        ]

        """)
    try fixture.expect(
      "-extract list.0 objc sample.plist",
      output: """
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
                    @"a.b" : @"deep",
                };
            }
        }
        @end

        """)
    try fixture.expect(
      "-extract when json sample.plist",
      error:
        "sample.plist: invalid object in plist for destination format: JSON cannot represent dates\n",
      status: 1
    )
    #expect(try folder.text("sample.plist") == PlutilFixture.sample)
    #expect(try folder.names() == ["sample.plist"])
  }

  @Test("-n writes no newline after raw text")
  func noNewline() throws {
    try fixture.expect("-extract count raw -n sample.plist", output: "-5")
    try fixture.expect("-extract count raw -n -o out sample.plist")
    #expect(try folder.text("out") == "-5")
    try fixture.expect("-type count -n sample.plist", output: "integer")
    try fixture.expect("-type count -o - sample.plist", output: "integer\n")
    try fixture.expect("-type count -n -s -o type sample.plist")
    #expect(try folder.text("type") == "integer")
  }

  @Test(
    "-expect accepts the type that -type prints, and reports any other",
    arguments: raw, ["xml1", "binary1"])
  func expectation(row: (path: String, value: String, type: String), format: String) throws {
    let (path, value, type) = row
    let other = type == "string" ? "data" : "string"
    try fixture.expect("-convert \(format) sample.plist")
    try fixture.expect("-type \(path) -expect \(type) sample.plist", output: type + "\n")
    try fixture.expect("-extract \(path) raw -expect \(type) sample.plist", output: value + "\n")
    let message =
      "sample.plist: Value at [\(path)] expected to be \(other) but is \(type)\n"
    try fixture.expect("-type \(path) -expect \(other) sample.plist", error: message, status: 1)
    try fixture.expect(
      "-extract \(path) raw -expect \(other) -o out sample.plist", error: message, status: 1)
    #expect(try folder.names() == ["sample.plist"])
  }

  @Test("-expect rejects an unknown type")
  func unknownExpectation() throws {
    try fixture.expect(
      "-type count -expect number sample.plist",
      error: "plutil: unknown type: number; expected bool, integer, float, string, date, data, "
        + "array or dictionary (see plutil -help)\n", status: 1)
  }
}
