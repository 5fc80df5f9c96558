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

  // MARK: Source

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

  @Test("go to standard output for -o -, and from standard input")
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

  @Test("are never written in the place of a property list", arguments: refused)
  func protection(line: String, message: String) throws {
    for name in ["x.swift", "x.h"] { try folder.write("( 1 )", to: name) }
    try fixture.expect(line, error: "plutil: \(message) (see plutil -help)\n", status: 1)
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

  @Test("refuse what has no literal", arguments: unrepresentable)
  func refusal(value: PlistValue, swift: String, objectiveC: String) throws {
    try folder.write(try Plist.write(value, as: .binary), to: "x.plist")
    try fixture.expect("-convert swift x.plist", error: "x.plist: \(swift)\n", status: 1)
    try fixture.expect("-convert objc x.plist", error: "x.plist: \(objectiveC)\n", status: 1)
    #expect(try folder.names() == ["sample.plist", "x.plist"])
  }

  @Test("refuse keys that Swift takes for the same")
  func equivalentKeys() throws {
    let value: PlistValue = ["d": ["\u{E9}": 1, "e\u{301}": 2]]
    try folder.write(try Plist.write(value, as: .binary), to: "x.plist")
    try fixture.expect(
      "-convert swift x.plist",
      error: "x.plist: Swift takes two keys for the same, being canonically equivalent "
        + "(key path d)\n", status: 1)
    try fixture.expect("-convert objc x.plist")
  }

  // MARK: Compilers

  /// Strings that mean something in a source file.
  static let strings = [
    "", "\"", "\\", "\\(x)", "\\n", "a\nb\r\tc", "\u{0}\u{1}\u{7F}\u{80}\u{9F}7", "\u{1}7",
    "??=??/",
    "\u{E9}", "e\u{301}", "日本", "\u{1F600}", "\u{202E}\u{200B}\u{FEFF}", "\u{2028}", "\u{FFFF}",
    "%@", "*/ // /*", "#\"", "\u{10FFFF}0", "\u{A0}", "'", "@\"", "$0",
  ]

  static let documents: [(name: String, value: PlistValue)] = {
    var deep = PlistValue.string("leaf")
    for level in 0..<512 {
      deep = level % 2 == 0 ? [deep] : ["n": .integer(Int64(level)), "v": deep]
    }
    var generator = SeededGenerator(seed: 1)
    let numbers = (0..<500).map { _ in
      PlistValue.real(
        Double(bitPattern: UInt64.random(in: 0..<0x7FF0_0000_0000_0000, using: &generator)))
    }
    // By way of 64 binary digits the first two become other numbers.
    let awkward: [PlistValue] = ["412.0981760870296", "-886.79443402311", "1e23"].map {
      .real(Double($0) ?? .nan)
    }
    let mixed = (0..<700).map { index -> (String, PlistValue) in
      let values: [PlistValue] = [
        .integer(Int64(index)), "text", true, [1, "x"], .real(Double(index) + 0.5),
        ["k": .array([])],
      ]
      return ("key \(index)", values[index % values.count])
    }
    return [
      (
        "scalars",
        [
          "least": .integer(.min), "most": .integer(.max), "unsigned": .unsignedInteger(.max),
          "small": .unsignedInteger(5), "negative zero": -0.0,
          "tiny": .real(.leastNonzeroMagnitude), "huge": 1e300,
          "infinite": .real(.infinity), "minus": .real(-.infinity), "nan": .real(.nan),
          "float": .float(0.1), "yes": true, "no": false, "empty data": .data(Data()),
          "data": .data(Data(0...255)), "far": .date(Date(timeIntervalSinceReferenceDate: -1e12)),
          "date": .date(Date(timeIntervalSinceReferenceDate: 0.5)),
        ]
      ),
      ("class", ["keywords are names": ["self", "nil"]]),
      (
        "containers",
        [
          [], [:], [[]], [[], [1]], [[1], [2.5]], [1, 2], [1, 2.5], [["a": 1], ["b": "c"]],
          [["a": []], ["a": ["x"]]], ["a": 1, "b": 2], ["a": ["b": ["c": ["d": ["e": 1]]]]],
          [.unsignedInteger(.max), .unsignedInteger(.max)], [1, .unsignedInteger(.max)],
        ]
      ),
      ("strings", .array(strings.map { .string($0) })),
      (
        "keys",
        .dictionary(PlistDictionary(strings.filter { $0 != "\u{E9}" }.map { ($0, .string($0)) }))
      ),
      ("numbers", .array(numbers + awkward)), ("mixed", .dictionary(PlistDictionary(mixed))),
      ("deep", deep), ("scalar", "only text"), ("data", .data(Data([1, 2]))),
      ("noValues", [:]), ("values", ["values": [1, 2, 3]]),
    ]
  }()

  @Test("Swift compiles what is written, and the program has the values of the file")
  func swiftCompiler() throws {
    var program = """
      import Foundation

      func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
      }

      func text(_ value: Any) -> String {
        switch value {
        case let value as Bool: return "b\\(value)"
        case let value as Int: return "i\\(value)"
        case let value as UInt64: return "i\\(value)"
        case let value as Double: return value.isNaN ? "nan" : "r\\(value.bitPattern)"
        case let value as String: return "s" + hexadecimal(value.utf8)
        case let value as Data: return "x" + hexadecimal(value)
        case let value as Date: return "d\\(value.timeIntervalSinceReferenceDate.bitPattern)"
        case let value as [Any]: return "[" + value.map(text).joined(separator: ",") + "]"
        case let value as [String: Any]:
          let entries = value.map { hexadecimal($0.key.utf8) + "=" + text($0.value) }
          return "{" + entries.sorted().joined(separator: ",") + "}"
        default: return "a value of type \\(type(of: value))"
        }
      }


      """
    var expected = ""
    var sources = ["main.swift"]
    for (name, value) in Self.documents {
      try folder.write(try Plist.write(value, as: .binary), to: "\(name).plist")
      try fixture.expect("-convert swift \(name).plist")
      sources.append("\(name).swift")
      let constant = ["class", "values"].contains(name) ? name + "_" : name
      program += "print(text(\(constant)))\n"
      expected += Self.text(value) + "\n"
    }
    try folder.write(program, to: "main.swift")
    let compilation = try Plutil.shell(
      "swiftc -swift-version 6 -warnings-as-errors \(sources.joined(separator: " ")) -o program 2>&1",
      in: folder)
    #expect(compilation.status == 0, "\(compilation.text.prefix(4000))")
    let run = try Plutil.shell("./program", in: folder)
    #expect(run.status == 0)
    #expect(run.text == expected)
  }

  /// A value as the test's program prints it.
  private static func text(_ value: PlistValue) -> String {
    func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
      bytes.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
    }
    switch value {
    case .boolean(let value): return "b\(value)"
    case .integer(let value): return "i\(value)"
    case .unsignedInteger(let value): return "i\(value)"
    case .real(let value): return value.isNaN ? "nan" : "r\(value.bitPattern)"
    case .float(let value): return "r\(Double(value).bitPattern)"
    case .string(let value): return "s" + hexadecimal(value.utf8)
    case .data(let value): return "x" + hexadecimal(value)
    case .date(let value): return "d\(value.timeIntervalSinceReferenceDate.bitPattern)"
    case .array(let value): return "[" + value.map(text).joined(separator: ",") + "]"
    case .dictionary(let value):
      let entries = value.map { hexadecimal($0.key.utf8) + "=" + text($0.value) }
      return "{" + entries.sorted().joined(separator: ",") + "}"
    case .uid, .set, .null: return "what has no literal"
    }
  }

  /// As much of Foundation as the literals of Objective-C need.
  private static let foundation = """
    #include <math.h>
    typedef signed char BOOL;
    #define YES ((BOOL)1)
    #define NO ((BOOL)0)
    typedef unsigned long NSUInteger;
    @interface NSObject
    + (id)alloc;
    @end
    @interface NSString : NSObject
    @end
    @interface NSNumber : NSObject
    + (NSNumber *)numberWithInt:(int)value;
    + (NSNumber *)numberWithLongLong:(long long)value;
    + (NSNumber *)numberWithUnsignedLongLong:(unsigned long long)value;
    + (NSNumber *)numberWithFloat:(float)value;
    + (NSNumber *)numberWithDouble:(double)value;
    + (NSNumber *)numberWithBool:(BOOL)value;
    @end
    @interface NSDate : NSObject
    + (NSDate *)dateWithTimeIntervalSinceReferenceDate:(double)seconds;
    @end
    @interface NSData : NSObject
    + (NSData *)data;
    - (id)initWithBase64EncodedString:(NSString *)text options:(NSUInteger)options;
    @end
    @interface NSArray : NSObject
    + (id)arrayWithObjects:(const id [])objects count:(NSUInteger)count;
    @end
    @interface NSDictionary : NSObject
    + (id)dictionaryWithObjects:(const id [])objects forKeys:(const id [])keys
                          count:(NSUInteger)count;
    @end

    """

  @Test("Clang takes what is written for Objective-C, without a warning")
  func objectiveCCompiler() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("Foundation"), withIntermediateDirectories: false)
    try folder.write(Self.foundation, to: "Foundation/Foundation.h")
    for (name, value) in Self.documents {
      try folder.write(try Plist.write(value, as: .binary), to: "\(name).plist")
      try fixture.expect("-convert objc -header \(name).plist")
    }
    let sources = Self.documents.map { "\($0.name).m" }.joined(separator: " ")
    let run = try Plutil.shell(
      "clang -fsyntax-only -x objective-c -fobjc-arc -fobjc-runtime=gnustep-2.0 -std=c99 -I. "
        + "-Wall -Wextra -Wmissing-prototypes -Werror \(sources)", in: folder)
    #expect(run.error == "")
    #expect(run.status == 0)
  }

  @Test("a string of Objective-C has the bytes of the string")
  func objectiveCStrings() throws {
    var program = "#include <stdio.h>\nint main(void) {\n"
    for (number, string) in Self.strings.enumerated() {
      try folder.write(try Plist.write(.string(string), as: .binary), to: "s.plist")
      let source = try Plutil.run(["-convert", "objc", "-o", "-", "s.plist"], in: folder).text
      let start = try #require(source.range(of: "return @"))
      let end = try #require(source.range(of: ";\n}\n", options: .backwards))
      program += "  const char s\(number)[] = \(source[start.upperBound..<end.lowerBound]);\n"
      program += "  fwrite(s\(number), 1, sizeof s\(number), stdout);\n"
    }
    try folder.write(program + "}\n", to: "strings.c")
    let compilation = try Plutil.shell("clang -std=c99 strings.c -o strings", in: folder)
    #expect(compilation.status == 0, "\(compilation.error)")
    let run = try Plutil.shell("./strings", in: folder)
    #expect(run.output == Data(Self.strings.flatMap { Array($0.utf8) + [0] }))
  }
}
