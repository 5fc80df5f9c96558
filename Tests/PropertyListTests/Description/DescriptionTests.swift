import FoundationEssentials
import Testing

@testable import PropertyList

@Suite("Values are described in the old style")
struct DescriptionTests {
  @Test("Containers are laid out with four spaces a level, twice before an inner bracket")
  func layout() {
    let value: PlistValue = ["s": "x y", "a": ["b": [1, ["x": 2]]]]
    #expect(
      value.description == """
        {
            a =     {
                b =         (
                    1,
                                {
                        x = 2;
                    }
                );
            };
            s = "x y";
        }
        """)
  }

  @Test("Arrays and sets within arrays are laid out alike")
  func arrays() {
    let value: PlistValue = ["a", [], ["b", [:]], .set(["c", .set([])])]
    #expect(
      value.description == """
        (
            a,
                (
            ),
                (
                b,
                        {
                }
            ),
                {(
                c,
                        {(
                )}
            )}
        )
        """)
  }

  @Test(
    "Empty containers have their brackets on two lines",
    arguments: [
      ([:], "{\n}"), ([], "(\n)"), (.set([]), "{(\n)}"),
      (["a": [:]], "{\n    a =     {\n    };\n}"), (["a": []], "{\n    a =     (\n    );\n}"),
    ] as [(PlistValue, String)])
  func emptyContainers(value: PlistValue, description: String) {
    #expect(value.description == description)
  }

  @Test("Keys are sorted by their UTF-16 code units and quoted like strings")
  func keys() {
    let value: PlistValue = [
      "b": 1, "": 2, "a b": 3, "\u{FFFD}": 4, "B": 5, "😀": 6, "10": 7, "é": 8, "e\u{301}": 9,
    ]
    #expect(
      value.description == #"""
        {
            "" = 2;
            10 = 7;
            B = 5;
            "a b" = 3;
            b = 1;
            "e\U0301" = 9;
            "\U00e9" = 8;
            "\Ud83d\Ude00" = 6;
            "\Ufffd" = 4;
        }
        """#)
  }

  @Test(
    "A string within a container is quoted unless it is letters and digits of ASCII",
    arguments: [
      ("abcXYZ019", "abcXYZ019"), ("", #""""#), ("a b", #""a b""#), ("a_b", #""a_b""#),
      ("a.b", #""a.b""#), ("-", #""-""#), ("[", #""[""#), ("{", #""{""#), ("@", #""@""#),
      ("it's", #""it's""#), (#"say "hi""#, #""say \"hi\"""#), (#"C:\"#, #""C:\\""#),
      ("\u{07}\u{08}\t\n\u{0B}\u{0C}\r", #""\a\b\t\n\v\f\r""#),
      ("\0\u{1}\u{1B}\u{1F}\u{7F}", #""\000\001\033\037\177""#),
      ("é", #""\U00e9""#), ("\u{80}", #""\U0080""#), ("日本", #""\U65e5\U672c""#),
      ("😀", #""\Ud83d\Ude00""#), ("~ ", #""~ ""#),
    ])
  func strings(string: String, quoted: String) throws {
    let value: PlistValue = [.string(string)]
    #expect(value.description == "(\n    \(quoted)\n)")
    #expect(PlistValue.string(string).description == string)
    #expect(try read(value.description, as: .openStep).value == value)
  }

  @Test(
    "Numbers and booleans have their shortest digits",
    arguments: [
      (0, "0"), (42, "42"), (-5, "-5"), (.integer(.min), "-9223372036854775808"),
      (.unsignedInteger(.max), "18446744073709551615"), (true, "1"), (false, "0"),
      (1.5, "1.5"), (3.0, "3"), (-3.0, "-3"), (0.1, "0.1"), (1e300, "1e+300"), (0.0, "0"),
      (.real(-0.0), "-0"), (.real(.nan), "nan"), (.real(.infinity), "inf"),
      (.real(-.infinity), "-inf"), (.float(0.1), "0.1"), (.float(2), "2"), (.float(-0.0), "-0"),
      (.float(.nan), "nan"), (.float(.infinity), "inf"), (.float(-.infinity), "-inf"),
      (.float(.greatestFiniteMagnitude), "3.4028235e+38"),
    ] as [(PlistValue, String)])
  func numbers(value: PlistValue, text: String) {
    #expect(value.description == text)
    let alphanumeric = text.utf8.allSatisfy { $0.decimalDigit != nil || $0 >= 0x61 }
    #expect(
      ([value] as PlistValue).description
        == "(\n    \(alphanumeric ? text : "\"\(text)\"")\n)")
  }

  @Test(
    "Dates are in UTC, and beyond the calendar a number of seconds",
    arguments: [
      (0, "2001-01-01 00:00:00 +0000"), (725_760_000, "2024-01-01 00:00:00 +0000"),
      (-0.5, "2000-12-31 23:59:59 +0000"), (-63_113_904_000, "0001-01-01 00:00:00 +0000"),
      (1e300, "1e+300"), (.infinity, "inf"), (.nan, "nan"),
      // Foundation's own description traps on these.
      (-0x1p63, "-9.223372036854776e+18"), (0x1p63.nextDown, "9.223372036854775e+18"),
    ] as [(Double, String)])
  func dates(interval: Double, text: String) {
    let date = Date(timeIntervalSinceReferenceDate: interval)
    #expect(PlistValue.date(date).description == text)
    #expect(date.descriptionText == text)
    let quoted = text == "inf" || text == "nan" ? text : "\"\(text)\""
    #expect(PlistValue.array([.date(date)]).description == "(\n    \(quoted)\n)")
  }

  @Test(
    "Data is whole up to 24 bytes, else its first 16 and last 8",
    arguments: [
      (0, "{length = 0, bytes = 0x}"),
      (4, "{length = 4, bytes = 0x61626364}"),
      (24, "{length = 24, bytes = 0x6162636465666768696a6b6c6d6e6f707172737475767778}"),
      (25, "{length = 25, bytes = 0x61626364 65666768 696a6b6c 6d6e6f70 ... 72737475 76777879 }"),
      (26, "{length = 26, bytes = 0x61626364 65666768 696a6b6c 6d6e6f70 ... 73747576 7778797a }"),
    ])
  func data(count: Int, text: String) {
    let data = Data((0..<UInt8(count)).map { 0x61 + $0 })
    #expect(PlistValue.data(data).description == text)
    #expect((["k": .data(data)] as PlistValue).description == "{\n    k = \(text);\n}")
    let slice = (Data([0xFF]) + data).dropFirst()
    #expect(slice.descriptionText == text)
  }

  @Test("Bytes have two digits, and UIDs and null the names that Foundation gives them")
  func others() {
    #expect(Data([0, 1, 0xAB]).descriptionText == "{length = 3, bytes = 0x0001ab}")
    #expect(PlistValue.uid(5).description == "<CFKeyedArchiverUID>{value = 5}")
    #expect(PlistValue.null.description == "<null>")
    #expect(
      ([.uid(5), .null] as PlistValue).description
        == "(\n    <CFKeyedArchiverUID>{value = 5},\n    \"<null>\"\n)")
  }

  @Test("The depth of a value is not that of the call stack")
  func depth() {
    var value: PlistValue = []
    for _ in 1..<1500 { value = [value] }
    let description = value.description
    #expect(description.hasPrefix("(\n" + String(repeating: " ", count: 8) + "(\n"))
    #expect(description.utf8.filter { $0 == UInt8(ascii: ")") }.count == 1500)
  }
}
