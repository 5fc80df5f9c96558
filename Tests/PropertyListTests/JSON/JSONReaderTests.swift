import FoundationEssentials
import Testing

@testable import PropertyList

@Suite("JSON is read")
struct JSONReaderTests {
  private func value(_ text: String) throws -> PlistValue {
    let document = try read(text, as: .json)
    #expect(document.warnings == [])
    return document.value
  }

  @Test(
    "Every kind of value may be the root",
    arguments: [
      ("{}", [:]), ("[]", []), ("\"\"", ""), ("\"a\"", "a"), ("0", 0), ("-1", -1), ("1.0", 1.0),
      ("true", true), ("false", false), ("null", .null),
    ] as [(String, PlistValue)])
  func roots(text: String, value: PlistValue) throws {
    #expect(try self.value(text) == value)
    #expect(try self.value(" \t\r\n" + text + " \t\r\n") == value)
  }

  @Test("Containers hold values of every kind, with white space anywhere between them")
  func containers() throws {
    let expected: PlistValue = ["a": [1, "b", [], [:]], "c": ["d": .null], "": false]
    #expect(try value(#"{"a":[1,"b",[],{}],"c":{"d":null},"":false}"#) == expected)
    #expect(
      try value(
        """
         { "a" : [ 1 , "b" , [ ] , { } ] ,\t"c" :
         { "d" : null } ,\r\n"" : false }\n
        """) == expected)
  }

  @Test("Of equal keys the last counts, with a warning where it stands")
  func duplicateKeys() throws {
    let document = try read(
      """
      {"a": 1, "b": {"c": 1,
        "c": 2}, "é": 3, "a": 4, "e\u{301}": 5, "\\u0061": 6}
      """, as: .json)
    #expect(
      document.value == ["a": 6, "b": ["c": 2], "\u{E9}": 3, "e\u{301}": 5])
    #expect(
      document.warnings.map(\.description) == [
        "line 2 column 3: the key appears more than once; the last value wins (key path b.c)",
        "line 2 column 20: the key appears more than once; the last value wins (key path a)",
        "line 2 column 37: the key appears more than once; the last value wins (key path a)",
      ])
  }

  // MARK: Numbers

  @Test(
    "Integers are exact from -2^63 to 2^64-1",
    arguments: [
      ("-0", 0), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .unsignedInteger(1 << 63)),
      ("18446744073709551615", .unsignedInteger(.max)),
    ] as [(String, PlistValue)])
  func integers(text: String, value: PlistValue) throws {
    #expect(try self.value(text) == value)
    #expect(try self.value(text).kind == .integer)
  }

  @Test(
    "Integers beyond are refused and not rounded",
    arguments: [
      "-9223372036854775809", "18446744073709551616", "36893488147419103232",
      "100000000000000000000", "1" + String(repeating: "0", count: 100_000),
    ])
  func integersBeyond(text: String) {
    #expect(
      readError("[\(text)]", as: .json)
        == "line 1 column 2: the integer is out of range; expected -2^63 to 2^64-1 (key path 0)")
  }

  @Test(
    "A number with a point or an exponent is a real",
    arguments: [
      ("42.0", 42), ("-0.0", -0.0), ("1e2", 100), ("1E+2", 100), ("1.5e-3", 0.0015), ("0e0", 0),
      ("0.1", 0.1), ("123456789012345678901234567890.0", 123456789012345678901234567890.0),
      ("1.7976931348623157e308", .greatestFiniteMagnitude), ("5e-324", .leastNonzeroMagnitude),
      ("18446744073709551616.0", 18446744073709551616.0),
    ] as [(String, Double)])
  func reals(text: String, number: Double) throws {
    guard case .real(let real) = try value(text) else {
      Issue.record("not a real")
      return
    }
    #expect(real.bitPattern == number.bitPattern)
  }

  @Test("A real beyond the range of a double is refused", arguments: ["1e400", "-1e309"])
  func realsBeyond(text: String) {
    #expect(
      readError("[\(text)]", as: .json)
        == "line 1 column 2: the real is out of range for a double (key path 0)")
  }

  // MARK: Strings

  @Test(
    "Every escape means its character",
    arguments: [
      (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"), (#"\u0041\u00e9\u00E9"#, "Aéé"),
      (#"\u0000\u001f\u007f"#, "\0\u{1F}\u{7F}"), (#"\ud83d\ude00"#, "😀"),
      (#"\uDBFF\uDFFF\uD7FF\uE000\uFFFF"#, "\u{10FFFF}\u{D7FF}\u{E000}\u{FFFF}"),
      (
        #"a long piece before \u0021 and a long piece behind, é"#,
        "a long piece before ! and a long piece behind, é"
      ),
    ])
  func escapes(text: String, string: String) throws {
    #expect(try value("\"\(text)\"") == .string(string))
    #expect(try value("{\"\(text)\": 1}") == [string: 1])
  }

  @Test("A string of any length ends where its quote is", arguments: 0...40)
  func lengths(length: Int) throws {
    for letter in ["a", "é", "日", "😀", "\u{7F}", "\u{FEFF}"] {
      let string = String(repeating: "x", count: length) + letter
      let ahead = letter + String(repeating: "x", count: length)
      #expect(try value("[\"\(string)\",\"\(ahead)\"]") == [.string(string), .string(ahead)])
      #expect(try value("[\"\(string)\\n\(ahead)\"]") == [.string(string + "\n" + ahead)])
    }
  }

  // MARK: Encodings

  @Test("A UTF-8 byte-order mark is passed over and has no column")
  func mark() throws {
    #expect(try value("\u{FEFF}[1]") == [1])
    #expect(
      readError("\u{FEFF}[x]", as: .json) == "line 1 column 2: expected a value or ] (key path 0)")
    #expect(readError("\u{FEFF}\u{FEFF}[]", as: .json) == "line 1 column 1: expected a value")
  }

  @Test(
    "UTF-16 and UTF-32 of either order are refused, with a mark and without",
    arguments: [2, 4], ["[1]", "{\"a\": \"é\"}", "{\"∀\" : 1}"])
  func unsupportedUnicodeEncoding(width: Int, text: String) {
    for mark in ["", "\u{FEFF}"] {
      for bigEndian in [true, false] {
        let data = WideText.encode(mark + text, width, bigEndian)
        #expect(PlistFormat(detecting: data) == .json)
        #expect(readError(data) == "the document is in UTF-16 or UTF-32; expected UTF-8")
      }
    }
  }
}

/// Text in code units of two or four bytes.
enum WideText {
  static func encode(_ text: String, _ width: Int, _ bigEndian: Bool) -> Data {
    let units =
      width == 2 ? text.utf16.map { UInt32($0) } : text.unicodeScalars.map(\.value)
    return Data(
      units.flatMap { unit in
        let bytes = (0..<width).map { UInt8(truncatingIfNeeded: unit >> UInt32(8 * $0)) }
        return bigEndian ? bytes.reversed() : bytes
      })
  }
}
