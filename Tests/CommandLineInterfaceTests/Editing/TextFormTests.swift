import CommandLineInterface
import Foundation
import PropertyList
import Testing

@Suite("Text forms")
struct TextFormTests {
  private static let value: PlistValue = [
    "date": .date(Date(timeIntervalSinceReferenceDate: 5)), "data": .data(Data([1, 2])),
    "number": 1.5, "flag": true, "text": "a\nb", "list": [1, []],
  ]

  @Test("keep the types of values", arguments: TextForm.names)
  func types(name: String) throws {
    let form = try TextForm(named: name)
    #expect(try form.value(of: form.text(of: Self.value)) == Self.value)
  }

  @Test(
    "have a notice that reading removes",
    arguments: [
      (PlistFormat.xml, "<!--# a - -> b -->\n<!--# c -->\n<plist/>"),
      (.json, "//# a --> b\n//# c\n<plist/>"), (.openStep, "//# a --> b\n//# c\n<plist/>"),
    ])
  func notice(format: PlistFormat, text: String) {
    let form = TextForm(format)
    let written = form.text(Data("<plist/>".utf8), below: ["a --> b", "c"])
    #expect(String(decoding: written, as: UTF8.self) == text)
    #expect(form.withoutNotice(written, ofLines: 2) == Data("<plist/>".utf8))
    // A user may remove one of the lines, and a text may begin with the same mark.
    let rest = Data(text.split(separator: "\n").dropFirst().joined(separator: "\n").utf8)
    #expect(form.withoutNotice(rest, ofLines: 2) == Data("<plist/>".utf8))
    #expect(form.withoutNotice(rest, ofLines: 0) == rest)
  }

  @Test("refuse keys that appear twice")
  func duplicates() throws {
    let error = #expect(throws: RepeatedKey.self) {
      try TextForm(.openStep).value(of: Data("{ a = 1; a = 2; }".utf8))
    }
    #expect(
      error?.description == "line 1 column 10: the key appears more than once (key path a)")
  }
}
