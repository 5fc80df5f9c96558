import FoundationEssentials
import Testing

@testable import PropertyList

@Suite("Hostile JSON is an error or a value, and soon")
struct JSONHostileTests {
  /// Every construct once, as the writer would not lay it out.
  private static let golden = Data(
    #"""
    {
      "a" : "double \n \u00e9 \ud83d\ude00 \/", "b": [ 1, -2.5e+3, {}, [ ] ],
      "é": { "": true, "n": null }, "f": false , "long": "a string of more than fifteen 日"
    }
    """#.utf8)

  @Test("Every beginning of a document is an error")
  func truncation() throws {
    let document = try Plist.read(Self.golden)
    #expect(
      document.value == [
        "a": "double \n é 😀 /", "b": [1, -2500.0, [:], []], "é": ["": true, "n": .null],
        "f": false, "long": "a string of more than fifteen 日",
      ])
    #expect(document.format == .json)
    for length in 0..<Self.golden.count {
      #expect(
        readError(Self.golden.prefix(length), as: .json) != nil, "after \(length) bytes")
    }
  }

  @Test("Every flip of one bit gives an error with a place, or a value that is written and read")
  func bitFlips() throws {
    for bit in 0..<Self.golden.count * 8 {
      var data = Self.golden
      data[bit / 8] ^= 1 << UInt8(bit % 8)
      do throws(PlistError) {
        let value = try Plist.read(data, as: .json).value
        let again = try Plist.read(Plist.write(value, as: .json), as: .json).value
        #expect(again == value, "bit \(bit)")
      } catch {
        #expect(error.location != nil, "bit \(bit)")
      }
    }
  }

  @Test("Dictionaries within each other are refused beyond 512", .timeLimit(.minutes(1)))
  func depth() {
    func nested(_ depth: Int) -> Data {
      let opening = String(repeating: "{\"a\":\n", count: depth)
      return Data((opening + "1" + String(repeating: "}", count: depth)).utf8)
    }
    #expect(readError(nested(512)) == nil)
    let path = String(repeating: "a.", count: 100) + "…"
    for depth in [513, 100_000] {
      #expect(
        readError(nested(depth))
          == "line 513 column 1: containers are nested deeper than 512 levels (key path \(path))")
    }
  }

  @Test("The limits of depth, values and size are those of the options")
  func limits() {
    var options = PlistReadOptions()
    options.limits.maximumDepth = 1
    #expect(
      readError(Data("{\"a\": []}".utf8), options: options)
        == "line 1 column 7: containers are nested deeper than 1 levels (key path a)")
    options = PlistReadOptions()
    options.limits.maximumNodeCount = 3
    #expect(readError(Data("[1,2]".utf8), options: options) == nil)
    #expect(
      readError(Data("[1,2,\n3]".utf8), options: options)
        == "line 2 column 1: the document contains more than 3 values (key path 2)")
    let long = String(repeating: "a", count: 200)
    #expect(
      readError(Data("{\"\(long)\": 1}".utf8), options: options)
        == "line 1 column 2: the document contains more than 3 values")
    options.limits.maximumSize = 4
    #expect(
      readError(Data("[1,2]".utf8), options: options) == "the document is larger than 4 bytes")
  }

  @Test("Of a hundred thousand oddities the first thousand are told", .timeLimit(.minutes(1)))
  func manyWarnings() throws {
    let text = "{" + String(repeating: "\"k\": 1,\n", count: 100_000) + "\"k\": 2}"
    let document = try read(text, as: .json)
    #expect(document.value == ["k": 2])
    #expect(document.warnings.count == 1000)
    #expect(document.warnings.last?.location == .line(1001, column: 1))
  }

  @Test("Megabytes without an end are refused", .timeLimit(.minutes(1)))
  func endless() {
    let filler = String(repeating: #"a\\é"#, count: 300_000)
    #expect(
      readError(Data("\"\(filler)".utf8), as: .json)
        == "line 1 column 1: the string is not closed")
    #expect(
      readError(Data("[\(String(repeating: " ", count: 1_000_000))".utf8), as: .json)
        == "line 1 column 1: the array is not closed (key path 0)")
    let digits = String(repeating: "1", count: 1_000_000)
    #expect(
      readError(Data("0.\(digits)e\(digits)".utf8), as: .json)
        == "line 1 column 1: the real is out of range for a double")
    #expect(readError(Data("0.\(digits)".utf8), as: .json) == nil)
  }
}
