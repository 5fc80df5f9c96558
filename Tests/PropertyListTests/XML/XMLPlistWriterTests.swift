import Foundation
import TestSupport
import Testing

@testable import PropertyList

@Suite("The XML writer")
struct XMLPlistWriterTests {
  @Test("writes Apple's header, tabs and order of keys")
  func document() throws {
    let value: PlistValue = [
      "b": [1, [:], [], ["c": true, "a": false]], "a": "text", "é": .uid(3), "B": 2.5,
    ]
    let text = String(decoding: try Plist.write(value, as: .xml), as: UTF8.self)
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>B</key>
        \t<real>2.5</real>
        \t<key>a</key>
        \t<string>text</string>
        \t<key>b</key>
        \t<array>
        \t\t<integer>1</integer>
        \t\t<dict/>
        \t\t<array/>
        \t\t<dict>
        \t\t\t<key>a</key>
        \t\t\t<false/>
        \t\t\t<key>c</key>
        \t\t\t<true/>
        \t\t</dict>
        \t</array>
        \t<key>é</key>
        \t<dict>
        \t\t<key>CF$UID</key>
        \t\t<integer>3</integer>
        \t</dict>
        </dict>
        </plist>

        """)
  }

  static let leaves: [(PlistValue, String)] = [
    ("", "<string></string>"),
    ("<a> & 'b' \"c\"", "<string>&lt;a&gt; &amp; 'b' \"c\"</string>"),
    ("a\rb\tc\nd", "<string>a&#13;b\tc\nd</string>"),
    ("]]>", "<string>]]&gt;</string>"),
    ("\u{7F}\u{85}\u{2028}\u{FFFD}", "<string>\u{7F}\u{85}\u{2028}\u{FFFD}</string>"),
    (.integer(.min), "<integer>-9223372036854775808</integer>"),
    (.unsignedInteger(.max), "<integer>18446744073709551615</integer>"),
    (1.0, "<real>1</real>"), (0.0, "<real>0.0</real>"), (-0.0, "<real>-0.0</real>"),
    (0.1, "<real>0.1</real>"), (-2.5, "<real>-2.5</real>"),
    (.real(1e15), "<real>1000000000000000</real>"),
    (.real(1e16), "<real>10000000000000000</real>"),
    (.real(1e17), "<real>1e+17</real>"),
    (.real(123_456_789_012_345_680), "<real>1.2345678901234568e+17</real>"),
    (.real(12_345_678_901_234_568), "<real>12345678901234568</real>"),
    (.real(1e-4), "<real>0.0001</real>"), (.real(1e-5), "<real>1e-05</real>"),
    (.real(1.5e-7), "<real>1.5e-07</real>"), (.real(1e100), "<real>1e+100</real>"),
    (.real(.leastNonzeroMagnitude), "<real>5e-324</real>"),
    (.real(.greatestFiniteMagnitude), "<real>1.7976931348623157e+308</real>"),
    (.real(.nan), "<real>nan</real>"), (.real(.infinity), "<real>+infinity</real>"),
    (.real(-.infinity), "<real>-infinity</real>"),
    (.float(0.1), "<real>0.10000000149011612</real>"),
    (.time(0), "<date>2001-01-01T00:00:00Z</date>"),
    (.time(-0.5), "<date>2000-12-31T23:59:59Z</date>"),
    (.time(0.999), "<date>2001-01-01T00:00:00Z</date>"),
    (.time(1e13), "<date>318888-05-20T17:46:40Z</date>"),
    (.data(Data()), "<data>\n</data>"), (.data(Data([1])), "<data>\nAQ==\n</data>"),
    (.data(Data([1, 2])), "<data>\nAQI=\n</data>"),
    (.data(Data([0xFB, 0xFF, 0xFE])), "<data>\n+//+\n</data>"),
  ]

  @Test("writes", arguments: leaves)
  func leaf(value: PlistValue, text: String) throws {
    #expect(try xmlBody(value) == text)
    if !text.contains("date") {
      let again = try Plist.read(Plist.write(value, as: .xml)).value
      #expect(again == value)
    }
  }

  @Test("wraps data at 76 columns, of which tabs take eight, up to eight tabs")
  func data() throws {
    let data = PlistValue.data(Data(repeating: 0, count: 120))
    var value = data
    for level in 0...10 {
      let lines = try xmlBody(value).split(separator: "\n")
      let content = lines.filter { $0.contains("AAAA") }
      let indentation = min(level, 8)
      #expect(
        content.dropLast().allSatisfy { line in
          line.prefix { $0 == "\t" }.count == indentation
            && line.drop { $0 == "\t" }.count == 76 - 8 * indentation
        })
      #expect(lines.contains(String(repeating: "\t", count: level)[...] + "<data>"))
      #expect(lines.contains(String(repeating: "\t", count: level)[...] + "</data>"))
      #expect(try Plist.read(Plist.write(value, as: .xml)).value == value)
      value = [value]
    }
  }

  @Test("every real reads back to the same bits, in 17 digits at most")
  func reals() throws {
    var generator = SeededGenerator(seed: 0x5EED)
    for _ in 0..<TestScale.count(20_000) {
      let real = Double(bitPattern: generator.next())
      guard real.isFinite else { continue }
      let text = NumberText.text(of: real)
      var isUnderflow = false
      try #require(
        try NumberText.real(Array(text.utf8), underflow: &isUnderflow).bitPattern
          == real.bitPattern, "\(text)")
      let mantissa = text.prefix { $0 != "e" }.filter(\.isNumber)
      let significant = mantissa.drop { $0 == "0" }
      try #require(significant.count <= 17, "\(text)")
      // The fewest digits from C's formatting that are read back as the same number, in the layout
      // of 17 digits.
      let shortest = try #require(
        (1...17).map { String(format: "%.\($0)g", real) }.first { Double($0) == real })
      let digits = { (text: String) in
        text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }.reversed()
          .drop { $0 == "0" }
      }
      try #require(digits(text).elementsEqual(digits(shortest)), "\(text) \(shortest)")
      try #require(text.contains("e") == String(format: "%.17g", real).contains("e"), "\(text)")
    }
  }

  static let refused: [(PlistValue, String)] = [
    (["a": [.null]], "XML cannot represent null (key path a.0)"),
    ([1, .set([])], "XML cannot represent sets (key path 1)"),
    (["a": "b\u{1}"], "XML cannot represent the character U+0001 (key path a)"),
    (["a\u{0}": "b"], "XML cannot represent the character U+0000 (key path a\\u{0})"),
    ("\u{FFFE}", "XML cannot represent the character U+FFFE"),
    (["x", "\u{FFFF}"], "XML cannot represent the character U+FFFF (key path 1)"),
    (.time(.nan), "the date is NaN; expected a point in time"),
    (.time(1e17), "the date is out of range; expected a year from -200000000 to 200000000"),
    (.time(-.infinity), "the date is out of range; expected a year from -200000000 to 200000000"),
    (
      ["u": ["CF$UID": 5]],
      "a dictionary whose only key is CF$UID would be read back as a UID (key path u)"
    ),
    (
      ["CF$UID": .unsignedInteger(5)],
      "a dictionary whose only key is CF$UID would be read back as a UID"
    ),
  ]

  @Test("refuses", arguments: refused)
  func refuses(value: PlistValue, error: String) {
    #expect(writeError(value, as: .xml) == error)
  }

  @Test("refuses to round a date where it must be exact")
  func exact() throws {
    let options = PlistWriteOptions.with { $0.rejectsFractionalSeconds = true }
    let fraction = PlistValue.time(0.25)
    #expect(
      writeError(["d": fraction], as: .xml, options: options)
        == "XML cannot represent fractions of a second (key path d)")
    #expect(
      try Plist.read(Plist.write(fraction, as: .binary, options: options)).value
        == fraction)
    let whole = PlistValue.time(25)
    #expect(writeError(whole, as: .xml, options: options) == nil)
  }

  @Test("escapes and refuses characters anywhere in a text", arguments: 0..<20)
  func everyPosition(position: Int) throws {
    for after in 0..<10 {
      let (before, rest) = (
        String(repeating: "x", count: position), String(repeating: "y", count: after)
      )
      for (character, escaped) in [
        ("<", "&lt;"), (">", "&gt;"), ("&", "&amp;"), ("\r", "&#13;"), ("\n", "\n"), ("\t", "\t"),
        ("\u{7F}", "\u{7F}"), ("é", "é"), ("\u{FFFD}", "\u{FFFD}"), ("\u{EFFE}", "\u{EFFE}"),
        ("😀", "😀"), ("?", "?"), (" ", " "),
      ] {
        let data = try Plist.write(.string(before + character + rest), as: .xml)
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains("<string>\(before)\(escaped)\(rest)</string>"))
      }
      for (character, number) in [
        ("\0", "0000"), ("\u{1F}", "001F"), ("\u{FFFE}", "FFFE"), ("\u{FFFF}", "FFFF"),
      ] {
        #expect(
          writeError(.string(before + character + rest), as: .xml)?.contains("U+\(number)") == true)
      }
    }
  }
}
