import Foundation
import PropertyList

/// Values on command lines and their outcomes.
extension DefaultsWritingTests {
  static let types: [([String], PlistValue)] = [
    (["5"], "5"), ([""], ""), (["-5"], "-5"), (["it's"], "it's"),
    (["(1, \"b c\")"], ["1", "b c"]),
    (["{a=b;}"], ["a": "b"]), (["<0a0B>"], .data(Data([10, 11]))), (["\"q\""], "q"),
    (["<true/>"], true), (["<integer>7</integer>"], 7),
    (["-string", "-g"], "-g"), (["-string", "(1"], "(1"), (["-string", ""], ""),
    (["-data", "00fF"], .data(Data([0, 255]))), (["-data", ""], .data(Data())),
    (["-int", "-5"], -5), (["-integer", "0x10"], 16),
    (["-int", "18446744073709551615"], .unsignedInteger(.max)),
    (["-int", "-9223372036854775808"], .integer(.min)),
    (["-float", "-1.5e3"], -1500.0), (["-float", "7"], 7.0),
    (["-float", "-inf"], .real(-.infinity)),
    (["-bool", "YES"], true), (["-boolean", "false"], false), (["-bool", "No"], false),
    (["-bool", "true"], true),
    (["-date", "2001-01-02T00:00:01Z"], .date(Date(timeIntervalSinceReferenceDate: 86401))),
    (["-date", "2001-01-01 01:00:00 +0100"], .date(Date(timeIntervalSinceReferenceDate: 0))),
    (["-date", "2001-01-01T00:00:00.5Z"], .date(Date(timeIntervalSinceReferenceDate: 0.5))),
    (["-date", "2001-01-01"], .date(Date(timeIntervalSinceReferenceDate: 0))),
    (["-array"], []),
    (["-array", "a", "-int", "-1", "-string", "-int", "(x)"], ["a", -1, "-int", ["x"]]),
    (["-dict"], [:]),
    (["-dict", "a", "1", "b", "-int", "1"], ["a": "1", "b": 1]),
    (["-dict", "-string", "a", "1", "-string", "-string", "-int", "2"], ["a": "1", "-string": 2]),
    (["-dict", "\"b c\"", "(1)", "-5", "d"], ["b c": ["1"], "-5": "d"]),
    (["-dict-add", "-string", "(a", "1"], ["(a": "1"]),
    (["-array-add", "a"], ["a"]), (["-dict-add", "a", "b"], ["a": "b"]),
  ]

  private static let unchanged = "; leaving defaults unchanged."
  private static let integer =
    "not an integer; expected digits, or 0x and hexadecimal digits"

  static let malformedValues: [([String], String)] = [
    (["a", "b"], "Unexpected argument b; leaving defaults unchanged."),
    (["-int", "1", "2"], "Unexpected argument 2; leaving defaults unchanged."),
    (["-string", "a", "-int", "1"], "Unexpected argument -int; leaving defaults unchanged."),
    (["(1"], "Could not parse: (1.  Try single-quoting it."),
    (["<plist>"], "Could not parse: <plist>.  Try single-quoting it."),
    (["-int"], "-int needs a value\(unchanged)"),
    (["-int", "five"], "-int five: \(integer)\(unchanged)"),
    (["-int", "1.5"], "-int 1.5: \(integer)\(unchanged)"),
    (["-int", ""], "-int : \(integer)\(unchanged)"),
    (
      ["-int", "18446744073709551616"],
      "-int 18446744073709551616: the integer is out of range; expected -2^63 to 2^64-1"
        + unchanged
    ),
    (
      ["-float", "1,5"],
      "-float 1,5: the real is malformed; expected a decimal number, nan, infinity or -infinity"
        + unchanged
    ),
    (
      ["-date", "today"],
      "-date today: expected 2024-01-31T23:59:59Z, \"2024-01-31 23:59:59 +0000\" or 2024-01-31"
        + unchanged
    ),
    (["-bool", "maybe"], "-bool maybe: expected true, false, yes, no, 1 or 0\(unchanged)"),
    (["-float", "1e999"], "-float 1e999: the real is out of range for a double\(unchanged)"),
    (["-array", "-array", "1"], "Cannot nest composite types (arrays and dictionaries); exiting"),
    (["-dict", "a", "-dict"], "Cannot nest composite types (arrays and dictionaries); exiting"),
    (
      ["-array-add", "-dict-add"],
      "Cannot nest composite types (arrays and dictionaries); exiting"
    ),
    (["-dict", "a", "b", "c"], "Key c lacks a corresponding value"),
    (["-dict-add", "c"], "Key c lacks a corresponding value"),
    (["-dict", "-string", "a", "1", "2"], "Key 2 lacks a corresponding value"),
    (["-dict", "-string", "a"], "Key a lacks a corresponding value"),
    (["-dict", "a", "1", "-string"], "-string needs a value\(unchanged)"),
    (["-dict", "-int", "1", "a"], "Dictionary keys must be strings, not -int 1\(unchanged)"),
    (
      ["-dict-add", "a", "b", "-bool", "yes", "c"],
      "Dictionary keys must be strings, not -bool yes\(unchanged)"
    ),
    (["-dict", "(a)", "b"], "Dictionary keys must be strings, not (a)\(unchanged)"),
    (["-dict", "(a", "b"], "Could not parse: (a.  Try single-quoting it."),
    (["-dict", "-array", "a"], "Cannot nest composite types (arrays and dictionaries); exiting"),
    (
      ["-dict-add", "c", "d"],
      "Value for key k is not a dictionary; cannot append.  Leaving defaults unchanged."
    ),
  ]
}
