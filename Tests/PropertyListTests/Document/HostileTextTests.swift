import FoundationEssentials
import Testing

@testable import PropertyList

@Suite("Hostile OpenStep text and JSON are an error or a value, and soon")
struct HostileTextTests {
  /// Every construct once, as no writer would lay it out, and the value.
  private static let golden: [(PlistFormat, String, PlistValue)] = [
    (
      .openStep,
      #"""
      // comment
      {
        word = a/b; 'single' = "double \n \U00e9 \Ud83d\Ude00 \341";
        "k"; /* comment */ list = (1, <0fbd 77>, (), {},);
        "é" = x;
      }
      """#,
      [
        "word": "a/b", "single": "double \n é 😀 Æ", "k": "k", "é": "x",
        "list": ["1", .data(Data([0x0F, 0xBD, 0x77])), [], [:]],
      ]
    ),
    (
      .json,
      #"""
      {
        "a" : "double \n \u00e9 \ud83d\ude00 \/", "b": [ 1, -2.5e+3, {}, [ ] ],
        "é": { "": true, "n": null }, "f": false , "long": "a string of more than fifteen 日"
      }
      """#,
      [
        "a": "double \n é 😀 /", "b": [1, -2500.0, [:], []], "é": ["": true, "n": .null],
        "f": false, "long": "a string of more than fifteen 日",
      ]
    ),
  ]

  @Test("Every beginning of a document is an error, but for a comment", arguments: golden)
  func truncation(format: PlistFormat, text: String, value: PlistValue) throws {
    let document = try Plist.read(Data(text.utf8))
    #expect(document.format == format)
    #expect(document.value == value)
    let comment = format == .openStep ? "// comment\n".utf8.count : 0
    for length in 0..<text.utf8.count {
      let failure = readError(Data(text.utf8.prefix(length)), as: format)
      #expect((failure == nil) == (length > 0 && length <= comment), "after \(length) bytes")
    }
  }

  @Test(
    "Every flip of one bit gives an error with a place, or a value that is written and read",
    arguments: golden)
  func bitFlips(format: PlistFormat, text: String, _: PlistValue) throws {
    let target = format == .json ? PlistFormat.json : .binary
    for bit in 0..<text.utf8.count * 8 {
      var data = Data(text.utf8)
      data[bit / 8] ^= 1 << UInt8(bit % 8)
      do throws(PlistError) {
        let value = try Plist.read(data, as: format).value
        let again = try Plist.read(Plist.write(value, as: target), as: target).value
        #expect(again == value, "bit \(bit)")
      } catch {
        #expect(error.location != nil, "bit \(bit)")
      }
    }
  }

  @Test(
    "Dictionaries within each other are refused beyond 512", .timeLimit(.minutes(1)),
    arguments: [(PlistFormat.json, "{\"a\":\n", "1", "}"), (.openStep, "{a=\n", "b", ";}")])
  func depth(format: PlistFormat, opening: String, leaf: String, closing: String) {
    func nested(_ depth: Int) -> String {
      String(repeating: opening, count: depth) + leaf + String(repeating: closing, count: depth)
    }
    #expect(readError(nested(512), as: format) == nil)
    // The path is cut after 200 characters.
    let path = String(repeating: "a.", count: 100) + "…"
    for depth in [513, 100_000] {
      #expect(
        readError(nested(depth), as: format)
          == "line 513 column 1: containers are nested deeper than 512 levels (key path \(path))")
    }
  }

  @Test("A table counts as a level")
  func tableDepth() {
    func table(arrays: Int) -> String {
      "a=" + String(repeating: "(", count: arrays) + String(repeating: ")", count: arrays) + ";"
    }
    #expect(readError(table(arrays: 511), as: .openStep) == nil)
    #expect(
      readError(table(arrays: 512), as: .openStep)?.hasPrefix(
        "line 1 column 514: containers are nested deeper than 512 levels (key path a.0.0") == true)
  }

  @Test("UTF-16 that ends within a code unit is refused wherever that is")
  func truncatedUTF16() {
    let data = WideText.encode("\u{FEFF}" + Self.golden[0].1, 2, false)
    #expect(readError(data, as: .openStep) == nil)
    for length in stride(from: 3, to: data.count, by: 2) {
      let failure = readError(data.prefix(length), as: .openStep) ?? ""
      #expect(failure.hasSuffix("expected UTF-8, or a byte-order mark and UTF-16 or UTF-32"))
    }
  }

  @Test(
    "Of a hundred thousand oddities the first thousand are told", .timeLimit(.minutes(1)),
    arguments: [
      (PlistFormat.openStep, "", "k = v;\n", ""), (.json, "{", "\"k\": 1,\n", "\"k\": 2}"),
    ])
  func manyWarnings(format: PlistFormat, start: String, entry: String, end: String) throws {
    let text = start + String(repeating: entry, count: 100_000) + end
    let document = try read(text, as: format)
    let value: PlistValue = format == .json ? 2 : "v"
    #expect(document.value == ["k": value])
    #expect(document.warnings.count == 1000)
    #expect(document.warnings.last?.location == .line(1001, column: 1))
  }

  @Test("Megabytes without an end are refused", .timeLimit(.minutes(1)))
  func endless() {
    let filler = String(repeating: "a\\", count: 500_000)
    let escapes = String(repeating: #"a\\é"#, count: 300_000)
    let digits = String(repeating: "1", count: 1_000_000)
    for (format, text, error) in [
      (.openStep, "'" + filler, "line 1 column 1: the string is not closed"),
      (.openStep, "/*" + filler, "line 1 column 1: the comment is not closed"),
      (
        .openStep, String(repeating: "/**/", count: 250_000) + "=",
        "line 1 column 1000001: expected a property list"
      ),
      (.openStep, "'" + String(repeating: "\\U00e9", count: 100_000) + "'", nil),
      (.json, "\"\(escapes)", "line 1 column 1: the string is not closed"),
      (
        .json, "[" + String(repeating: " ", count: 1_000_000),
        "line 1 column 1: the array is not closed (key path 0)"
      ),
      (.json, "0.\(digits)e\(digits)", "line 1 column 1: the real is out of range for a double"),
      (.json, "0.\(digits)", nil),
    ] as [(PlistFormat, String, String?)] {
      #expect(readError(text, as: format) == error)
    }
  }
}
