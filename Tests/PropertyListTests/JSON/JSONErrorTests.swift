import FoundationEssentials
import Testing

@testable import PropertyList

@Suite("What is not JSON is refused, with its place")
struct JSONErrorTests {
  @Test(
    "The grammar is that of RFC 8259 and no other",
    arguments: [
      ("", "the document is empty; expected a property list"),
      (" \n\t", "the document is empty; expected a property list"),
      ("nul", "line 1 column 1: expected a value"),
      ("True", "line 1 column 1: expected a value"),
      ("nan", "line 1 column 1: expected a value"),
      ("Infinity", "line 1 column 1: expected a value"),
      ("'a'", "line 1 column 1: expected a value"),
      ("nullx", "line 1 column 5: expected the end of the document"),
      ("1 2", "line 1 column 3: expected the end of the document"),
      ("{}\n]", "line 2 column 1: expected the end of the document"),
      ("[]\0", "line 1 column 3: expected the end of the document"),
      ("// a\n[]", "line 1 column 1: comments are not allowed in JSON"),
      ("[1 /* a */]", "line 1 column 4: comments are not allowed in JSON (key path 1)"),
      ("[1 /a/]", "line 1 column 4: expected , or ] (key path 1)"),
      ("[1,]", "line 1 column 4: expected a value (key path 1)"),
      ("[,1]", "line 1 column 2: expected a value or ] (key path 0)"),
      ("[1,,2]", "line 1 column 4: expected a value (key path 1)"),
      ("[1 2]", "line 1 column 4: expected , or ] (key path 1)"),
      ("[1}", "line 1 column 3: expected , or ] (key path 1)"),
      ("[\u{A0}1]", "line 1 column 2: expected a value or ] (key path 0)"),
      ("[", "line 1 column 1: the array is not closed (key path 0)"),
      ("[1,\n[2,", "line 2 column 1: the array is not closed (key path 1.1)"),
      ("{", "line 1 column 1: the dictionary is not closed"),
      ("{\"a\": {\"b\"", "line 1 column 7: the dictionary is not closed (key path a.b)"),
      ("{\"a\": ", "line 1 column 1: the dictionary is not closed (key path a)"),
      ("{a: 1}", "line 1 column 2: expected a key or }"),
      ("{1: 1}", "line 1 column 2: expected a key or }"),
      ("{\"a\"}", "line 1 column 5: expected : (key path a)"),
      ("{\"a\" 1}", "line 1 column 6: expected : (key path a)"),
      ("{\"a\" = 1}", "line 1 column 6: expected : (key path a)"),
      ("{\"a\":}", "line 1 column 6: expected a value (key path a)"),
      ("{\"a\":1,}", "line 1 column 8: expected a key"),
      ("{\"a\":1;}", "line 1 column 7: expected , or }"),
      ("{\"a\":1]", "line 1 column 7: expected , or }"),
      ("{,}", "line 1 column 2: expected a key or }"),
      ("]", "line 1 column 1: expected a value"),
    ])
  func grammar(text: String, error: String) {
    #expect(readError(text, as: .json) == error)
  }

  @Test(
    "Numbers have no plus, no zero before other digits, and digits on both sides of a point",
    arguments: [
      ("+1", 1, "a value or ]"), ("01", 2, ", or ]"), ("-01", 3, ", or ]"), ("1.", 3, "a digit"),
      (".5", 1, "a value or ]"), ("-", 2, "a digit"), ("-.5", 2, "a digit"), ("1e", 3, "a digit"),
      ("1e+", 4, "a digit"), ("1.e5", 3, "a digit"), ("0x10", 2, ", or ]"), ("1_000", 2, ", or ]"),
      ("--1", 2, "a digit"), ("1.5.5", 4, ", or ]"), ("٣", 1, "a value or ]"),
      ("-Infinity", 2, "a digit"), ("00", 2, ", or ]"),
    ])
  func numbers(number: String, column: Int, expected: String) {
    // Text after a complete number follows the first element.
    let path = expected == ", or ]" ? "1" : "0"
    #expect(
      readError("[\(number)]", as: .json)
        == "line 1 column \(column + 1): expected \(expected) (key path \(path))")
  }

  private static let pair = #"expected \u escapes of a complete surrogate pair"#
  private static let digits = #"expected four hexadecimal digits after \u"#
  private static let letters =
    #"expected one of \" \\ \/ \b \f \n \r \t and \u with its digits"#
  private static let control =
    #"expected an escape such as \n or \u0007 for the control character"#

  @Test(
    "Strings hold no control characters, no other escapes and no halves of surrogate pairs",
    arguments: [
      ("a\nb", "line 1 column 9: \(control)"), ("\t", "line 1 column 8: \(control)"),
      ("\0", "line 1 column 8: \(control)"), ("0123456789\u{1F}", "line 1 column 18: \(control)"),
      (#"ab\x"#, "line 1 column 10: \(letters)"), (#"\'"#, "line 1 column 8: \(letters)"),
      (#"\U0041"#, "line 1 column 8: \(letters)"), (#"\u12"#, "line 1 column 12: \(digits)"),
      (#"\u12g4"#, "line 1 column 12: \(digits)"), (#"\u 041"#, "line 1 column 10: \(digits)"),
      (#"\ud800"#, "line 1 column 8: \(pair)"), (#"\ud800\n"#, "line 1 column 8: \(pair)"),
      (#"\ud800\ud800"#, "line 1 column 8: \(pair)"), (#"é\udc00"#, "line 1 column 9: \(pair)"),
      (#"\ud800\u0041"#, "line 1 column 8: \(pair)"), (#"\ud800\u"#, "line 1 column 16: \(digits)"),
    ])
  func strings(text: String, error: String) {
    #expect(readError("{\"a\": \"\(text)\"}", as: .json) == error + " (key path a)")
  }

  @Test(
    "A string without its end is told by its beginning",
    arguments: ["", "a", "é", #"\"#, #"\n"#, #"a\""#, "a string of more than fifteen characters"])
  func openStrings(text: String) {
    #expect(
      readError("[1,\n \"\(text)", as: .json)
        == "line 2 column 2: the string is not closed (key path 1)")
  }

  @Test(
    "Bytes that are not UTF-8 are refused at the first of them",
    arguments: [
      [0x80], [0xFF], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xE6, 0x97], [0xF8, 0x88, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func malformed(bytes: [UInt8]) {
    let error = "the text is not valid UTF-8"
    for before in ["", "é", "0123456789 é"] {
      let column = 2 + before.count
      #expect(
        readError(Data("[\"\(before)".utf8) + bytes + Data("\"]".utf8), as: .json)
          == "line 1 column \(column + 1): \(error) (key path 0)")
      #expect(
        readError(Data("[\"\\n\(before)".utf8) + bytes + Data("\\n\"]".utf8), as: .json)
          == "line 1 column \(column + 3): \(error) (key path 0)")
    }
    // Outside a string, these bytes are never valid.
    #expect(
      readError(Data("[".utf8) + bytes + Data("]".utf8), as: .json)
        == "line 1 column 2: expected a value or ] (key path 0)")
  }

  @Test("Lines end with LF, CR or both, and a column is a character")
  func places() {
    #expect(
      readError("[\n1,\r\n2,\r3,\n\"é日😀\" x]", as: .json)
        == "line 5 column 7: expected , or ] (key path 4)")
  }
}
