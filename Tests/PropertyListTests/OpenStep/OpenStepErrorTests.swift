import FoundationEssentials
import Testing

@testable import PropertyList

@Suite("What is not OpenStep text is refused with its place")
struct OpenStepErrorTests {
  @Test(
    "JSON with comments before it is not OpenStep text",
    arguments: [
      ("// a\n{\"a\": 1}", "line 1 column 1: comments are not allowed in JSON"),
      ("\n /* a */ [1, \"b\"]", "line 2 column 2: comments are not allowed in JSON"),
      ("{ // a\n\"a\": 1}", "line 1 column 3: comments are not allowed in JSON"),
      ("{ /* a */ \"a\" = 1 }", "line 1 column 19: expected ;"),
      ("// a\n{\"a\" = 1}", "line 2 column 9: expected ;"),
    ])
  func commentsInJSON(text: String, error: String) {
    #expect(readError(text) == error)
  }

  private static let refused: [(String, String)] = [
    ("", "the document is empty; expected a property list"),
    // A token missing at the end of a line is reported there.
    ("{\n  a = b\n  c = d;\n}", "line 2 column 8: expected ;"),
    ("{ a = (b\n\n c); }", "line 1 column 9: expected , or ) (key path a.1)"),
    ("{ a // b\n }", "line 1 column 4: expected = or ; (key path a)"),
    ("{ a = b c = d; }", "line 1 column 9: expected ;"),
    // If another token is in its place, the missing token is reported there.
    ("}", "line 1 column 1: expected a property list"),
    ("\n =", "line 2 column 2: expected a property list"),
    ("é", "line 1 column 1: expected a property list"),
    ("\0", "line 1 column 1: expected a property list"),
    ("hello world", "line 1 column 7: expected =, ; or the end of the document"),
    ("'a' 'b'", "line 1 column 5: expected =, ; or the end of the document"),
    ("*", "line 1 column 1: expected a property list"),
    ("a*", "line 1 column 2: expected =, ; or the end of the document"),
    ("a/**/ = b;", "line 1 column 3: expected =, ; or the end of the document"),
    ("{} x", "line 1 column 4: expected the end of the document"),
    ("(),", "line 1 column 3: expected the end of the document"),
    ("<00> {}", "line 1 column 6: expected the end of the document"),
    ("{}\n}", "line 2 column 1: expected the end of the document"),
    ("a = b", "line 1 column 6: expected ;"),
    ("a = b c = d;", "line 1 column 7: expected ;"),
    ("a =", "line 1 column 4: expected a value (key path a)"),
    ("a = ;", "line 1 column 5: expected a value (key path a)"),
    ("a = b; c", "line 1 column 9: expected = or ; (key path c)"),
    ("a; b }", "line 1 column 6: expected = or ; (key path b)"),
    ("a; }", "line 1 column 4: expected a key"),
    ("a;; b;", "line 1 column 3: expected a key"),
    ("a; (b);", "line 1 column 4: expected a key"),
    ("{ a = b }", "line 1 column 9: expected ;"),
    ("{ a = b, c = d; }", "line 1 column 8: expected ;"),
    ("{ a }", "line 1 column 5: expected = or ; (key path a)"),
    ("{ a b; }", "line 1 column 5: expected = or ; (key path a)"),
    ("{ a = }", "line 1 column 7: expected a value (key path a)"),
    ("{ a = ) }", "line 1 column 7: expected a value (key path a)"),
    ("{ a = é; }", "line 1 column 7: expected a value (key path a)"),
    ("{ = b; }", "line 1 column 3: expected a key or }"),
    ("{ <00> = b; }", "line 1 column 3: expected a key or }"),
    ("{ a = b;; }", "line 1 column 9: expected a key or }"),
    ("{ a = b; )", "line 1 column 10: expected a key or }"),
    ("{ a = (b; }", "line 1 column 9: expected , or ) (key path a.1)"),
    ("(a b)", "line 1 column 4: expected , or ) (key path 1)"),
    ("(a; b)", "line 1 column 3: expected , or ) (key path 1)"),
    ("({} {})", "line 1 column 5: expected , or ) (key path 1)"),
    ("(,)", "line 1 column 2: expected a value or ) (key path 0)"),
    ("(a,,b)", "line 1 column 4: expected a value or ) (key path 1)"),
    ("(a, }", "line 1 column 5: expected a value or ) (key path 1)"),
    ("{ a = b; / }", "line 1 column 12: expected = or ; (key path /)"),
    ("({ a = (b, é); })", "line 1 column 12: expected a value or ) (key path 0.a.1)"),
    ("/* é\r\n */ (\r 😀\n)", "line 3 column 2: expected a value or ) (key path 0)"),
    // An unclosed construct is reported where it begins.
    ("\"", "line 1 column 1: the string is not closed"),
    ("'abc", "line 1 column 1: the string is not closed"),
    ("\"abc'", "line 1 column 1: the string is not closed"),
    (#""abc\""#, "line 1 column 1: the string is not closed"),
    (#""abc\"#, "line 1 column 1: the string is not closed"),
    ("{\n  a = 'b;\n}", "line 2 column 7: the string is not closed (key path a)"),
    ("{ 'a = b; }", "line 1 column 3: the string is not closed"),
    ("/*", "line 1 column 1: the comment is not closed"),
    ("/*/", "line 1 column 1: the comment is not closed"),
    ("a = b; /* c *", "line 1 column 8: the comment is not closed"),
    ("{ a = /* b; }", "line 1 column 7: the comment is not closed (key path a)"),
    ("<", "line 1 column 1: the data is not closed"),
    ("( <0f", "line 1 column 3: the data is not closed (key path 0)"),
    ("( <0", "line 1 column 3: the data is not closed (key path 0)"),
    ("{", "line 1 column 1: the dictionary is not closed"),
    ("\n{ a", "line 2 column 1: the dictionary is not closed (key path a)"),
    ("{ a =", "line 1 column 1: the dictionary is not closed (key path a)"),
    ("{ a = b", "line 1 column 1: the dictionary is not closed"),
    ("{ a = b;", "line 1 column 1: the dictionary is not closed"),
    ("{ a = {};", "line 1 column 1: the dictionary is not closed"),
    ("{ a = { b = c;", "line 1 column 7: the dictionary is not closed (key path a)"),
    ("x = { a = b;", "line 1 column 5: the dictionary is not closed (key path x)"),
    ("(", "line 1 column 1: the array is not closed (key path 0)"),
    ("(a", "line 1 column 1: the array is not closed (key path 1)"),
    ("(a,", "line 1 column 1: the array is not closed (key path 1)"),
    ("(a, (b)", "line 1 column 1: the array is not closed (key path 2)"),
    ("(a, (b, ", "line 1 column 5: the array is not closed (key path 1.1)"),
    // Escapes without a character are refused.
    (#""\U""#, "line 1 column 4: expected hexadecimal digits after \\U"),
    (#""\Ug""#, "line 1 column 4: expected hexadecimal digits after \\U"),
    (#""\U１""#, "line 1 column 4: expected hexadecimal digits after \\U"),
    (#""\Ud83d\U""#, "line 1 column 10: expected hexadecimal digits after \\U"),
    (#""\Ud83d""#, "line 1 column 2: expected \\U escapes of a complete surrogate pair"),
    (#""\Ud83dx""#, "line 1 column 2: expected \\U escapes of a complete surrogate pair"),
    (#""\Ud83d\n""#, "line 1 column 2: expected \\U escapes of a complete surrogate pair"),
    (#""\Ud83d\U0041""#, "line 1 column 2: expected \\U escapes of a complete surrogate pair"),
    (#""\Ud83d\Ud83d""#, "line 1 column 2: expected \\U escapes of a complete surrogate pair"),
    (#""é\Ude00""#, "line 1 column 3: expected \\U escapes of a complete surrogate pair"),
    // Data is refused unless it is pairs of ASCII digits.
    ("<0>", "line 1 column 3: expected another hexadecimal digit"),
    ("<0f b >", "line 1 column 7: expected another hexadecimal digit"),
    ("<0g>", "line 1 column 3: expected hexadecimal digits or >"),
    ("<\u{FF10}\u{FF11}>", "line 1 column 2: expected hexadecimal digits or >"),
    ("<0f /* */>", "line 1 column 5: expected hexadecimal digits or >"),
    ("{ a = <0f; }", "line 1 column 10: expected hexadecimal digits or > (key path a)"),
  ]

  @Test("It is refused with its place", arguments: refused)
  func refusal(text: String, error: String) {
    #expect(readError(text, as: .openStep) == error)
  }

  private static let typed: [(String, [(String, column: Int)])] = [
    ("the typed value is not closed", [("<*", 1)]),
    ("the typed value is not closed (key path 0)", [("(<*I", 2), ("(<*I5", 2), (#"(<*I"5""#, 2)]),
    ("the string is not closed (key path 0)", [(#"(<*I"5"#, 5)]),
    ("expected >", [(#"<*I"5"6>"#, 7)]),
    ("expected I, R, B or D", [("<*X5>", 3), ("<*i5>", 3)]),
    (
      "not an integer; expected digits, or 0x and hexadecimal digits",
      [("<*I>", 4), ("<*I1.5>", 4)]
    ),
    (
      "the integer is out of range; expected -2^63 to 2^64-1",
      [("<*I18446744073709551616>", 4), ("<*I-9223372036854775809>", 4)]
    ),
    (
      "the real is malformed; expected a decimal number, nan, infinity or -infinity",
      [("<*R1,5>", 4)]
    ),
    ("the real is out of range for a double (key path a)", [("{a = <*R1e400>;}", 9)]),
    ("expected Y or N", [("<*BYES>", 4), ("<*B>", 4)]),
    (
      "expected a date such as 2024-01-01 00:00:00 +0000",
      [
        ("<*D>", 4), ("<*D2024-01-01 00:00:00>", 4), ("<*D2024-01-01 00:00:00 Z>", 4),
        ("<*D2024-02-30 00:00:00 +0000>", 4), ("<*D2024-01-01 00:00:00.5 +0000>", 4),
        ("<*D2024-01-01T00:00:00Z>", 4),
      ]
    ),
    (
      "the date is out of range; expected a year from -200000000 to 200000000",
      [("<*D999999999-01-01 00:00:00 +0000>", 4)]
    ),
  ]

  @Test("Typed values are refused when their text does not fit the type", arguments: typed)
  func typedValues(error: String, texts: [(String, column: Int)]) {
    let options = PlistReadOptions.with { $0.allowsTypedValues = true }
    for (text, column) in texts {
      #expect(
        readError(text, as: .openStep, options: options) == "line 1 column \(column): \(error)")
    }
  }
}
