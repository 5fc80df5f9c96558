import Foundation
import InspectionPage
import Testing

@Suite("JSON in a page")
struct JSONTextTests {
  private func text(_ body: (inout JSONText) -> Void) -> String {
    var json = JSONText()
    body(&json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test("has commas between values and after none")
  func structure() {
    let json = text { json in
      json.open("{")
      json.key("a")
      json.integers([1, -2])
      json.key("b")
      json.open("{")
      json.close("}")
      json.key("c")
      json.strings(["x", "y"])
      json.key("d")
      json.boolean(true)
      json.key("e")
      json.raw("[]".utf8)
      json.close("}")
    }
    #expect(json == #"{"a":[1,-2],"b":{},"c":["x","y"],"d":true,"e":[]}"#)
  }

  static let escapes = [
    ("</script>", #"\u003c/script\u003e"#), ("<!--", #"\u003c!--"#), ("&amp;", #"\u0026amp;"#),
    ("\"\\", #"\"\\"#), ("\n\t\0\u{1F}\u{7F}", #"\u000a\u0009\u0000\u001f\u007f"#),
    ("a\u{2028}b\u{2029}c", #"a\u2028b\u2029c"#),
    ("é€ €\u{2027}\u{202E}😀", "é€ €\u{2027}\u{202E}😀"),
    ("", ""),
  ]

  @Test("escapes what could end the element around it", arguments: escapes)
  func strings(_ input: String, _ expected: String) throws {
    let json = text { $0.string(input) }
    #expect(json == "\"\(expected)\"")
    let parsed = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
    #expect((parsed as? String).map { Array($0.utf8) } == Array(input.utf8))
  }
}
