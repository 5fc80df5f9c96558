import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("The source code of plutil -convert")
struct PlutilLiteralCompilerTests {
  private let fixture: PlutilFixture
  private var folder: TemporaryFolder { fixture.folder }

  init() throws {
    fixture = try PlutilFixture()
  }

  /// Strings with special characters of source files.
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
    // Rounding to 64 bits first would change the first two numbers.
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

  @Test("compiles as Swift, with the values of the file")
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
    try Plutil.shell("./program", in: folder).expect(output: expected)
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

  /// The part of Foundation that Objective-C literals need.
  private static let foundation = """
    #include <math.h>
    typedef signed char BOOL;
    #define YES ((BOOL)1)
    #define NO ((BOOL)0)
    typedef unsigned long NSUInteger;
    __attribute__((objc_root_class))
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

  @Test("compiles as Objective-C without warnings")
  func objectiveCCompiler() throws {
    try folder.makeFolder("Foundation")
    try folder.write(Self.foundation, to: "Foundation/Foundation.h")
    for (name, value) in Self.documents {
      try folder.write(try Plist.write(value, as: .binary), to: "\(name).plist")
      try fixture.expect("-convert objc -header \(name).plist")
    }
    // A program refers to each constant by its name.
    for (name, value) in Self.documents {
      let constant = name == "class" ? "class_" : name
      let types: [PlistValue.Kind: String] = [
        .array: "NSArray", .dictionary: "NSDictionary", .string: "NSString", .data: "NSData",
      ]
      let function = "\(try #require(types[value.kind])) *user_\(name)(void)"
      try folder.write(
        "#import \"\(name).h\"\n\(function);\n\(function) { return \(constant); }\n",
        to: "user_\(name).m")
    }
    let sources = Self.documents.flatMap { ["\($0.name).m", "user_\($0.name).m"] }
    try Plutil.shell(
      "clang -c -x objective-c -fobjc-arc -fobjc-runtime=gnustep-2.0 -std=c99 -I. "
        + "-Wall -Wextra -Wmissing-prototypes -Werror \(sources.joined(separator: " "))",
      in: folder
    ).expect()
    for (name, _) in Self.documents {
      let constant = name == "class" ? "class_" : name
      let defined = try Plutil.shell("nm --defined-only -g \(name).o", in: folder)
      #expect(defined.text.contains(" \(constant)\n"))
      let used = try Plutil.shell("nm -u user_\(name).o", in: folder)
      #expect(used.text.contains(" U \(constant)\n"))
    }
  }

  @Test("has the bytes of each string in Objective-C")
  func objectiveCStrings() throws {
    var program = "#include <stdio.h>\nint main(void) {\n"
    for (number, string) in Self.strings.enumerated() {
      try folder.write(try Plist.write(.string(string), as: .binary), to: "s.plist")
      let source = try Plutil.run(["-convert", "objc", "-o", "-", "s.plist"], in: folder).text
      let start = try #require(source.range(of: "s = @"))
      let end = try #require(source.range(of: ";\n", options: .backwards))
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
