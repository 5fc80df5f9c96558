import FoundationEssentials
import PropertyList
import Testing

@testable import Preferences

@Suite("Conversion of values to the type of a getter")
struct CoercionTests {
  @Test(
    "A string is true if it begins with Y, T or a nonzero integer",
    arguments: [
      ("YES", true), ("y", true), ("T", true), ("true", true), ("Yes", true), ("tea", true),
      ("  yes", true), ("\t\n\r\u{B}\u{C} y", true), ("\u{A0}\u{2003}\u{3000}\u{2028}t", true),
      ("y\u{301}", true),
      ("1", true), ("-1", true), ("+1", true), ("5x", true), (" 7", true), ("1e3", true),
      ("3.9", true), ("-007", true), ("99999999999999999999", true), ("1e-400", true),
      ("0", false), ("NO", false), ("on", false), ("0x1F", false), ("", false), ("   ", false),
      ("-", false), ("-0", false), ("000", false), ("0.5", false), (".5", false), ("0 1", false),
      ("--1", false), ("+-1", false), ("- 1", false), ("-y", false), ("0y", false), ("x1", false),
      ("false", false), ("inf", false), ("nan", false), ("٣", false), ("１", false),
      ("Ｙ", false), ("\0y", false), ("\u{200B}y", false),
    ])
  func boolean(string: String, boolean: Bool) {
    #expect(PlistValue.string(string).coercedBool == boolean)
  }

  @Test(
    "A string is the integer of its leading digits, clamped to the range",
    arguments: [
      ("1", 1), ("-1", -1), ("+5", 5), ("5x", 5), (" 7", 7), ("\n\u{3000}7", 7), ("1e3", 1),
      ("3.9", 3), ("-3.9", -3), ("007", 7), ("1_000", 1), ("1,5", 1), ("5 6", 5), ("0x1F", 0),
      ("YES", 0), ("0", 0), ("NO", 0), ("on", 0), ("", 0), (" ", 0), ("-", 0), ("+", 0), ("--5", 0),
      ("- 5", 0), (".5", 0), ("inf", 0), ("٣5", 0), ("5٣", 5), ("１", 0), ("\0", 0), ("5\u{301}", 5),
      ("9223372036854775807", .max), ("9223372036854775808", .max), ("-9223372036854775807", -.max),
      ("-9223372036854775808", .min), ("-9223372036854775809", .min),
      ("99999999999999999999", .max), ("-99999999999999999999", .min),
      ("00000000000000000000000000000000000000012", 12),
    ])
  func integer(string: String, integer: Int) {
    #expect(PlistValue.string(string).coercedInteger == integer)
  }

  @Test(
    "A string is the decimal number at its beginning",
    arguments: [
      ("1", 1), ("-1", -1), ("+5", 5), ("5x", 5), (" 7", 7), ("\u{3000}7", 7), ("1e3", 1000),
      ("1E3", 1000), ("1e+3", 1000), ("25e-1", 2.5), ("3.9", 3.9), ("-3.9", -3.9), (".5", 0.5),
      ("-.5", -0.5), ("5.", 5), ("5.e1", 50), ("1e", 1), ("1e+", 1), ("1e5x", 100_000),
      ("1.2.3", 1.2), ("1,5", 1), ("1d3", 1), ("1_000", 1), ("007", 7), ("1e3.5", 1000),
      ("5\u{301}", 5),
      ("99999999999999999999", 1e20), ("9007199254740993", 9_007_199_254_740_992),
      ("1e400", .infinity), ("-1e400", -.infinity), ("1e-400", 0),
      ("1e99999999999999999999", .infinity), ("1e-99999999999999999999", 0),
      ("0e99999999999999999999", 0),
      ("YES", 0), ("0", 0), ("NO", 0), ("on", 0), ("0x1F", 0), ("", 0), (" ", 0), ("-", 0),
      (".", 0), ("-.", 0), ("e5", 0), (".e5", 0), ("--5", 0), ("- 5", 0), ("٣5", 0), ("１", 0),
      ("\0", 0),
      ("inf", 0), ("-infinity", 0), ("nan", 0), ("NaN", 0),
    ])
  func double(string: String, double: Double) {
    #expect(PlistValue.string(string).coercedDouble == double)
    #expect(PlistValue.string(string).coercedFloat == Float(double))
  }

  @Test("A string's negative zero keeps its sign")
  func negativeZero() {
    #expect(PlistValue.string("-0").coercedDouble.sign == .minus)
    #expect(PlistValue.string("-1e-400").coercedDouble.sign == .minus)
  }

  @Test("A string is itself", arguments: ["YES", "1", " 7", "", "e\u{301}", "\0"])
  func string(string: String) {
    let coerced = PlistValue.string(string).coercedString
    #expect(coerced.map { Array($0.utf8) } == Array(string.utf8))
  }

  @Test(
    "A number converts by its value",
    arguments: [
      (0, false, 0, 0, "0"),
      (1, true, 1, 1, "1"),
      (-7, true, -7, -7, "-7"),
      (.integer(.max), true, .max, 9.223372036854776e18, "9223372036854775807"),
      (.integer(.min), true, .min, -9.223372036854776e18, "-9223372036854775808"),
      (.unsignedInteger(0), false, 0, 0, "0"),
      (.unsignedInteger(5), true, 5, 5, "5"),
      (.unsignedInteger(1 << 63), true, .max, 9.223372036854775808e18, "9223372036854775808"),
      (.unsignedInteger(.max), true, .max, 1.8446744073709552e19, "18446744073709551615"),
      (3.99, true, 3, 3.99, "3.99"),
      (-3.99, true, -3, -3.99, "-3.99"),
      (1.0, true, 1, 1, "1"),
      (0.0, false, 0, 0, "0"),
      (-0.0, false, 0, 0, "-0"),
      (0.5, true, 0, 0.5, "0.5"),
      (0.1, true, 0, 0.1, "0.1"),
      (0.0001, true, 0, 0.0001, "0.0001"),
      (0.00001, true, 0, 0.00001, "1e-05"),
      (.real(.leastNonzeroMagnitude), true, 0, .leastNonzeroMagnitude, "5e-324"),
      (1e16, true, 10_000_000_000_000_000, 1e16, "10000000000000000"),
      (1e17, true, 100_000_000_000_000_000, 1e17, "1e+17"),
      (
        9.223372036854775e18, true, 9_223_372_036_854_774_784, 9.223372036854775e18,
        "9.223372036854775e+18"
      ),
      (9.223372036854775808e18, true, .max, 9.223372036854775808e18, "9.223372036854776e+18"),
      (-9.223372036854775808e18, true, .min, -9.223372036854775808e18, "-9.223372036854776e+18"),
      (1e300, true, .max, 1e300, "1e+300"),
      (-1e300, true, .min, -1e300, "-1e+300"),
      (.real(.infinity), true, .max, .infinity, "inf"),
      (.real(-.infinity), true, .min, -.infinity, "-inf"),
      (.float(0.5), true, 0, 0.5, "0.5"),
      (.float(0.1), true, 0, 0.10000000149011612, "0.1"),
      (.float(-3.75), true, -3, -3.75, "-3.75"),
      (.float(1), true, 1, 1, "1"),
      (.float(0), false, 0, 0, "0"),
      (.float(1e20), true, .max, 1.0000000200408773e20, "1e+20"),
      (.float(.infinity), true, .max, .infinity, "inf"),
      (.float(-.infinity), true, .min, -.infinity, "-inf"),
      (true, true, 1, 1, "1"),
      (false, false, 0, 0, "0"),
    ] as [(PlistValue, Bool, Int, Double, String)])
  func numbers(value: PlistValue, boolean: Bool, integer: Int, double: Double, string: String) {
    #expect(value.coercedBool == boolean)
    #expect(value.coercedInteger == integer)
    #expect(value.coercedDouble == double)
    #expect(value.coercedString == string)
    #expect([String].read(from: value, isText: false) == nil)
  }

  @Test(
    "NaN is true, the integer 0, and itself",
    arguments: [.real(.nan), .float(.nan)] as [PlistValue])
  func nan(value: PlistValue) {
    #expect(value.coercedBool)
    #expect(value.coercedInteger == 0)
    #expect(value.coercedDouble.isNaN)
    #expect(value.coercedFloat.isNaN)
    #expect(value.coercedString == "nan")
  }

  @Test(
    "A float is read exactly, and any other number is rounded once",
    arguments: [
      (.float(0.1), 0.1),
      (.float(.leastNonzeroMagnitude), .leastNonzeroMagnitude),
      (0.1, 0.1),
      (3.99, 3.99),
      (1e300, .infinity),
      (-1e300, -.infinity),
      (1e-300, 0),
      (16_777_217, 16_777_216),
      (.unsignedInteger(.max), 18_446_744_073_709_551_616),
      // Just above the middle of two floats, where it would be the middle as a double.
      (.integer(0x4000_0040_0000_0001), 0x1.000002p62),
      ("1.00000005960464477540", 0x1.000002p0),
      ("1e39", .infinity),
      (true, 1),
    ] as [(PlistValue, Float)])
  func float(value: PlistValue, float: Float) {
    #expect(value.coercedFloat == float)
  }

  @Test(
    "A value that is neither string nor number is false, 0 and no string",
    arguments: [
      .date(Date(timeIntervalSinceReferenceDate: 5)), .data(Data("1".utf8)), .data(Data()), ["1"],
      [], ["1": "1"], [:], .uid(1), .set(["1"]), .null,
    ] as [PlistValue])
  func others(value: PlistValue) {
    #expect(!value.coercedBool)
    #expect(value.coercedInteger == 0)
    #expect(value.coercedDouble == 0)
    #expect(value.coercedFloat == 0)
    #expect(value.coercedString == nil)
  }

  @Test(
    "An array of strings must contain only strings",
    arguments: [
      (["a", "b"], ["a", "b"]), ([], []), (["a", 1], nil), ([1, "a"], nil), ([["a"]], nil),
      (["a", true], nil), ("a", nil), (["a": "b"], nil), (.set(["a"]), nil), (1, nil),
    ] as [(PlistValue, [String]?)])
  func stringArray(value: PlistValue, strings: [String]?) {
    #expect([String].read(from: value, isText: false) == strings)
  }

  @Test("Megabytes of digits and elements are converted in linear time", .timeLimit(.minutes(1)))
  func hostile() {
    let length = 1_000_000
    let nines = PlistValue.string(String(repeating: "9", count: length))
    #expect(nines.coercedBool)
    #expect(nines.coercedInteger == .max)
    #expect(nines.coercedDouble == .infinity)
    #expect(nines.coercedFloat == .infinity)

    let zeros = String(repeating: "0", count: length)
    #expect(!PlistValue.string(zeros).coercedBool)
    #expect(PlistValue.string("-" + zeros + "5").coercedBool)
    #expect(PlistValue.string("-" + zeros + "5").coercedInteger == -5)
    #expect(PlistValue.string("-" + zeros + "5").coercedDouble == -5)
    #expect(PlistValue.string("0." + zeros + "5e1000000").coercedDouble == 0.5)
    #expect(PlistValue.string("1e" + zeros + "2").coercedDouble == 100)
    let spaces = String(repeating: "\u{3000}", count: length)
    #expect(PlistValue.string(spaces + "7").coercedInteger == 7)

    let array = PlistValue.array(Array(repeating: "a", count: length) + [1])
    #expect([String].read(from: array, isText: false) == nil)
    #expect(array.coercedInteger == 0)
  }

  @Test("Integers around each power of two survive conversion to a string and back")
  func integerStrings() {
    for shift in 0..<63 {
      for number in [(1 << shift) - 1, 1 << shift, -(1 << shift), ~(1 << shift)] {
        let value = PlistValue.integer(Int64(number))
        #expect(value.coercedString.map { PlistValue.string($0).coercedInteger } == number)
      }
    }
  }
}
