import FoundationEssentials
import Testing

@testable import PropertyList

@Suite("Hostile OpenStep text is an error or a value, and soon")
struct OpenStepHostileTests {
  /// Every construct once.
  private static let golden = Data(
    #"""
    // comment
    {
      word = a/b; 'single' = "double \n \U00e9 \Ud83d\Ude00 \341";
      "k"; /* comment */ list = (1, <0fbd 77>, (), {},);
      "é" = x;
    }
    """#.utf8)

  @Test("Containers nest 511 and 512 levels deep", arguments: [511, 512])
  func deepest(depth: Int) throws {
    let arrays = String(repeating: "(", count: depth) + String(repeating: ")", count: depth)
    var value = try read(arrays, as: .openStep).value
    for _ in 1..<depth {
      guard case .array(let elements) = value, elements.count == 1 else {
        Issue.record("not an array of one")
        return
      }
      value = elements[0]
    }
    #expect(value == [])

    let dictionaries = String(repeating: "{a=", count: depth - 1) + "{}"
    let closed = dictionaries + String(repeating: ";}", count: depth - 1)
    #expect(throws: Never.self) { try read(closed, as: .openStep) }
  }

  @Test("A table counts as a level")
  func tableDepth() {
    func table(arrays: Int) -> String {
      "a=" + String(repeating: "(", count: arrays) + String(repeating: ")", count: arrays) + ";"
    }
    #expect(readError(Data(table(arrays: 511).utf8), as: .openStep) == nil)
    #expect(
      readError(Data(table(arrays: 512).utf8), as: .openStep)?.hasPrefix(
        "line 1 column 514: containers are nested deeper than 512 levels (key path a.0.0") == true)
  }

  @Test(
    "Deeper nesting is refused at the first bracket too many", .timeLimit(.minutes(1)),
    arguments: [513, 100_000])
  func tooDeep(depth: Int) throws {
    let arrays = String(repeating: "(", count: depth)
    let error = #expect(throws: PlistError.self) { try read(arrays, as: .openStep) }
    #expect(error?.kind == .tooDeep(limit: 512))
    #expect(error?.location == .line(1, column: 513))
    #expect(error?.keyPath.components.count == 512)

    let dictionaries = String(repeating: "{a=\n", count: depth)
    // The path is cut after 200 characters.
    let path = String(repeating: "a.", count: 100) + "…"
    #expect(
      readError(Data(dictionaries.utf8), as: .openStep)
        == "line 513 column 1: containers are nested deeper than 512 levels (key path \(path))")
  }

  @Test("The limits of depth and values are those of the options")
  func limits() {
    var options = PlistReadOptions()
    options.limits.maximumDepth = 1
    #expect(
      readError(Data("{a = ();}".utf8), as: .openStep, options: options)
        == "line 1 column 6: containers are nested deeper than 1 levels (key path a)")
    options = PlistReadOptions()
    options.limits.maximumNodeCount = 3
    #expect(readError(Data("{a; b;}".utf8), as: .openStep, options: options) == nil)
    #expect(
      readError(Data("{a; b; c;}".utf8), as: .openStep, options: options)
        == "line 1 column 8: the document contains more than 3 values (key path c)")
    #expect(
      readError(Data("(a, b,\nc)".utf8), as: .openStep, options: options)
        == "line 2 column 1: the document contains more than 3 values (key path 2)")
  }

  @Test("Every beginning of a document is an error, but for the comment before it")
  func truncation() throws {
    let document = try Plist.read(Self.golden, as: .openStep)
    guard case .dictionary(let root) = document.value else {
      Issue.record("not a dictionary")
      return
    }
    #expect(Array(root.keys) == ["word", "single", "k", "list", "é"])
    #expect(root["single"] == "double \n é 😀 Æ")

    for length in 0..<Self.golden.count {
      let failure = readError(Self.golden.prefix(length), as: .openStep)
      let isComment = 2..."// comment\n".utf8.count ~= length
      #expect((failure == nil) == (isComment || length == 1), "after \(length) bytes")
    }
  }

  @Test("Every flip of one bit gives an error with a place, or a value that is written and read")
  func bitFlips() throws {
    for bit in 0..<Self.golden.count * 8 {
      var data = Self.golden
      data[bit / 8] ^= 1 << UInt8(bit % 8)
      do throws(PlistError) {
        let value = try Plist.read(data, as: .openStep).value
        let binary = try Plist.write(value, as: .binary)
        let again = try Plist.read(binary).value
        #expect(again == value, "bit \(bit)")
      } catch {
        #expect(error.location != nil, "bit \(bit)")
      }
    }
  }

  @Test("UTF-16 that ends within a code unit is refused wherever that is")
  func truncatedUTF16() {
    var data = Data([0xFF, 0xFE])
    for unit in String(decoding: Self.golden, as: UTF8.self).utf16 {
      data.append(contentsOf: [UInt8(unit & 0xFF), UInt8(unit >> 8)])
    }
    #expect(readError(data, as: .openStep) == nil)
    for length in stride(from: 3, to: data.count, by: 2) {
      let failure = readError(data.prefix(length), as: .openStep) ?? ""
      #expect(failure.hasSuffix("expected UTF-8, or a byte-order mark and UTF-16 or UTF-32"))
    }
  }

  @Test("Of a hundred thousand oddities the first thousand are told", .timeLimit(.minutes(1)))
  func manyWarnings() throws {
    let text = String(repeating: "k = v;\n", count: 100_000)
    let document = try read(text, as: .openStep)
    #expect(document.value == ["k": "v"])
    #expect(document.warnings.count == 1000)
    #expect(document.warnings.last?.location == .line(1001, column: 1))
  }

  @Test("Megabytes without an end are refused", .timeLimit(.minutes(1)))
  func endless() {
    let filler = String(repeating: "a\\", count: 500_000)
    #expect(
      readError(Data(("'" + filler).utf8), as: .openStep)
        == "line 1 column 1: the string is not closed")
    #expect(
      readError(Data(("/*" + filler).utf8), as: .openStep)
        == "line 1 column 1: the comment is not closed")
    let comments = String(repeating: "/**/", count: 250_000)
    #expect(
      readError(Data((comments + "=").utf8), as: .openStep)
        == "line 1 column 1000001: expected a property list")
    let escapes = String(repeating: "\\U00e9", count: 100_000)
    #expect(readError(Data(("'" + escapes + "'").utf8), as: .openStep) == nil)
  }
}
