import Foundation
import PropertyList
import TestSupport

/// Command lines and their outcomes.
extension PlutilEditTests {
  private static let dateForms =
    #"2024-01-31T23:59:59Z, "2024-01-31 23:59:59 +0000" or 2024-01-31"#

  static let types: [([String], PlistValue)] = [
    (["-bool", "true"], true), (["-bool", "YES"], true), (["-bool", "yes"], true),
    (["-bool", "1"], true), (["-bool", "false"], false), (["-bool", "NO"], false),
    (["-bool", "no"], false), (["-bool", "0"], false),
    (["-integer", "-5"], -5), (["-integer", "0x10"], 16),
    (["-integer", "-9223372036854775808"], .integer(.min)),
    (["-integer", "18446744073709551615"], .unsignedInteger(.max)),
    (["-float", "2.5"], 2.5), (["-float", "-1e300"], -1e300), (["-float", "nan"], .real(.nan)),
    (["-float", "0e-999"], .real(0)),
    (["-string", ""], ""), (["-string", "-o"], "-o"), (["-string", "a b"], "a b"),
    (
      ["-date", "2024-01-31T23:59:59Z"],
      .date(Date(timeIntervalSinceReferenceDate: 728_438_399))
    ),
    (
      ["-date", "2024-02-01T01:59:59+02:00"],
      .date(Date(timeIntervalSinceReferenceDate: 728_438_399))
    ),
    (["-data", "AQID"], .data(Data([1, 2, 3]))), (["-data", ""], .data(Data())),
    (["-xml", "<array><true/></array>"], [true]),
    (["-xml", "<plist><string>x</string></plist>"], "x"),
    (["-json", #"{"a": [1, 2.5, false, "s"]}"#], ["a": [1, 2.5, false, "s"]]),
    (["-json", "5"], 5),
    (["-array"], []), (["-dictionary"], [:]),
  ]

  static let malformedValues: [([String], String)] = [
    (["-bool", "maybe"], "-bool maybe: expected true, false, yes, no, 1 or 0"),
    (["-bool", ""], "-bool : expected true, false, yes, no, 1 or 0"),
    (
      ["-integer", "5x"],
      "-integer 5x: not an integer; expected digits, or 0x and hexadecimal digits"
    ),
    (
      ["-integer", "18446744073709551616"],
      "-integer 18446744073709551616: the integer is out of range; expected -2^63 to 2^64-1"
    ),
    (
      ["-float", "1.5f"],
      "-float 1.5f: the real is malformed; expected a decimal number, nan, infinity or -infinity"
    ),
    (["-float", "1e400"], "-float 1e400: the real is out of range for a double"),
    (["-float", "-1e-999"], "-float -1e-999: the real is out of range for a double"),
    (
      ["-date", "2024-13-01"],
      "-date 2024-13-01: expected " + dateForms
    ),
    (["-date", ""], "-date : expected " + dateForms),
    (["-data", "AQ"], "-data AQ: the data is malformed; expected base64 with padding"),
    (
      ["-xml", "<array>"],
      "-xml: line 1 column 8: expected </array>, found the end of the document (key path 0)"
    ),
    (["-json", "{"], "-json: line 1 column 1: the dictionary is not closed"),
    ([], "-insert needs a type and a value, such as -string text or -bool yes"),
    (["-string"], "-string needs a value"),
    (["-integer", "5", "-string", "x"], "-integer and -string cannot be used together"),
    (["-array", "-dictionary"], "-array and -dictionary cannot be used together"),
  ]

  static let misplaced: [(line: String, message: String)] = rows(
    #"""
    -insert count -string x
      Value already exists at key path count; use -replace to change it
    -insert list.3 -string x
      index 3 is out of range: list has 2 elements
    -insert list.-1 -string x
      -1 is not an index: list is an array with 2 elements
    -insert list.x -string x
      x is not an index: list is an array with 2 elements
    -insert x.y.z -string x
      No value at key path x.y; insert x first, with -dictionary or -array; if the dots belong to the key, write x\.y\.z
    -insert list.7.z -string x
      No value at key path list.7; list has 2 elements
    -insert count.x -string x
      an integer has no keys or indices (key path count)
    -insert count -string x -append
      cannot append to an integer; expected an array (key path count)
    -insert new -string x -append
      No value at key path new; insert new first, with -dictionary or -array
    -insert list.9 -string x -append
      No value at key path list.9; list has 2 elements
    -replace list.2 -string x
      index 2 is out of range: list has 2 elements
    -replace x.y -string x
      No value at key path x; insert x first, with -dictionary or -array
    -remove list.2
      No value to remove at key path list.2; list has 2 elements
    -remove x.y
      No value to remove at key path x.y; the root has no key x
    -remove count.x
      No value to remove at key path count.x; count is an integer
    """#
  ).map { ($0, $1) }

  static let formats: [(String, String)] = [
    ("{\"a\":1}", "{\"a\":1,\"b\":\"x\"}"),
    ("{\n  \"a\" : 1\n}\n", "{\n  \"a\" : 1,\n  \"b\" : \"x\"\n}\n"),
    ("{ a = 1; }", "{ a = 1; b = x; }"),
    ("/* table */\n\"a\" = \"é\";\n", "/* table */\n\"a\" = \"é\";\n\"b\" = \"x\";\n"),
    (
      "<plist>\n<dict>\n  <!-- c -->\n  <key>c</key>\n  <true/>\n</dict>\n</plist>",
      "<plist>\n<dict>\n  <key>b</key>\n  <string>x</string>\n  <!-- c -->\n  <key>c</key>\n  <true/>\n</dict>\n</plist>"
    ),
  ]
}
