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

  @Test("a * in a key path stands for all keys or elements, and several paths follow one another")
  func patterns() throws {
    try folder.write(
      #"{"types": [{"names": ["a", "b"]}, {"other": 1}, {"names": ["c"]}], "v": "1.2", "*": 7}"#,
      to: "p.json")
    func expect(_ line: String, output: String = "", error: String = "") throws {
      try fixture.expect(
        "\(line) p.json", output: output, error: error, status: error.isEmpty ? 0 : 1)
    }
    let missing = "Could not extract value, error: No value at that key path or invalid key path: "
    try expect("-extract types.*.names.* raw", output: "a\nb\nc\n")
    try expect("-extract types.*.names json", output: #"[["a","b"],["c"]]"#)
    try expect("-extract * raw", output: "7\n")
    try expect("-extract v raw -extract types.*.names.0 raw", output: "1.2\na\nc\n")
    try expect("-extract types.*.x raw", error: "p.json: \(missing)types.*.x\n")
    try expect(
      "-extract v raw -extract types.0.x.y raw",
      error: "p.json: \(missing)types.0.x.y; types.0 has no key x\n")
    try expect("-extract types.9 raw", error: "p.json: \(missing)types.9; types has no element 9\n")
    try expect("-extract v.x raw", error: "p.json: \(missing)v.x; v is a string\n")
    try expect(
      "-extract types.*.names raw -expect string",
      error: "p.json: Value at [types.0.names] expected to be string but is array\n")
    try expect(
      "-extract v json -extract types raw",
      error: "plutil: several -extract can only be used with the format raw (see plutil -help)\n")
  }

  @Test("a key path that leads nowhere is followed by the one that was probably meant")
  func hints() throws {
    let value: PlistValue = [
      "com.apple.dock": ["Orientation": "left", "a.b": [1]], "com": ["x": 1], "Label": "y",
    ]
    for format in [PlistFormat.xml, .binary] {
      try folder.write(Plist.write(value, as: format), to: "h.plist")
      func expect(_ path: String, _ end: String) throws {
        try fixture.expect(
          "-extract \(path) raw h.plist",
          error:
            "h.plist: Could not extract value, error: No value at that key path or invalid key path: \(path)\(end)\n",
          status: 1)
      }
      try expect("Lable", "; did you mean Label?")
      try expect(
        "com.apple.dock", #"; com has no key apple; did you mean com\.apple\.dock?"#)
      try expect(
        "com.apple.dock.a.b.0",
        #"; com has no key apple; did you mean com\.apple\.dock.a\.b.0?"#)
      try expect(
        #"com\.apple\.dock.Orientatoin"#,
        #"; com\.apple\.dock has no key Orientatoin; did you mean com\.apple\.dock.Orientation?"#)
      try expect("org.example.app", #"; if the dots belong to the key, write org\.example\.app"#)
      try expect("other", "")
    }
    try fixture.expect(
      "-replace com.apple.dock -string x h.plist",
      error:
        #"h.plist: No value at key path com.apple; insert com.apple first, with -dictionary or -array; did you mean com\.apple\.dock?"#
        + "\n", status: 1)
    try fixture.expect(
      "-remove Lable h.plist",
      error: "h.plist: No value to remove at key path Lable; did you mean Label?\n", status: 1)
  }

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
    try fixture.expect("-lint damaged.plist", output: message + " (key path bad.0)\n", status: 1)
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
    ("list.2", "; list has no element 2"), ("list.0.x.y", "; list.0 has no key x"),
    ("count.x", "; count is an integer"), ("ratio.0", "; ratio is a real"), ("x.y", ""),
    ("list.-1", "; list has no element -1"),
    (#"list.0.a\.b.c"#, #"; list.0.a\.b is a string"#),
  ]

  @Test(
    "a key path without a value is reported in Apple's words",
    arguments: missingPaths, ["xml1", "binary1"])
  func missing(missing: (path: String, reason: String), format: String) throws {
    let path = missing.path
    let message = "sample.plist: \(Self.missing) \(path)\(missing.reason)\n"
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
