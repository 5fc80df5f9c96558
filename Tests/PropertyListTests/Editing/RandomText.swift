import Foundation
import PropertyList
import TestSupport

/// Makes documents with odd layouts and comments in all places, and values for edits.
struct RandomText {
  enum Kind: CaseIterable {
    case xml, openStep, strings, json
  }

  let kind: Kind
  var generator: SeededGenerator
  /// Whether most values are on separate lines.
  private var isTidy = true
  private var lineBreak = "\n"
  private var indentation = "\t"
  private var commentCount = 0

  init(_ kind: Kind, seed: UInt64) {
    self.kind = kind
    generator = SeededGenerator(seed: seed)
    isTidy = chance(0.7)
    lineBreak = chance(0.8) ? "\n" : chance(0.8) ? "\r\n" : "\r"
    indentation = pick(["\t", "\t", "  ", "    ", ""])
  }

  var format: PlistFormat {
    switch kind {
    case .xml: .xml
    case .openStep, .strings: .openStep
    case .json: .json
    }
  }

  // MARK: Chance

  mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &generator) < probability
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements.randomElement(using: &generator)!
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

  // MARK: Documents

  /// Returns a document.
  mutating func document() -> String {
    switch kind {
    case .xml:
      let head = pick([
        "", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\(lineBreak)",
        "<?xml version=\"1.0\"?>\(lineBreak)<!DOCTYPE plist>\(lineBreak)",
      ])
      return head + (chance(0.3) ? comment() : "") + "<plist version=\"1.0\">" + space(0)
        + container(0) + space(0) + "</plist>" + pick(["", lineBreak, " <!-- end -->\n"])
    case .json: return pick(["", " "]) + container(0) + pick(["", lineBreak])
    case .openStep:
      return pick(["", "// !$*UTF8*$!\(lineBreak)"]) + space(0) + container(0, isDictionary: true)
        + space(0) + lineBreak
    case .strings:
      let content = content(0, isDictionary: true, count: number(1...6))
      return content + lineBreak
    }
  }

  private mutating func value(_ depth: Int) -> String {
    chance(depth < 4 ? 0.35 : 0) ? container(depth) : leaf()
  }

  private mutating func container(_ depth: Int, isDictionary: Bool? = nil) -> String {
    let isDictionary = isDictionary ?? chance(0.6)
    let count = chance(0.12) ? 0 : number(1...5)
    if kind == .xml {
      let name = isDictionary ? "dict" : "array"
      if count == 0, chance(0.4) { return "<\(name)\(pick(["", " ", " a=\"b\""]))/>" }
      return "<\(name)\(pick(["", "", " x='1'"]))>"
        + content(depth, isDictionary: isDictionary, count: count) + "</\(name)>"
    }
    let brackets = isDictionary ? ["{", "}"] : kind == .json ? ["[", "]"] : ["(", ")"]
    return brackets[0] + content(depth, isDictionary: isDictionary, count: count) + brackets[1]
  }

  private mutating func content(_ depth: Int, isDictionary: Bool, count: Int) -> String {
    var text = ""
    var keys: [String] = []
    let isSorted = chance(0.5)
    for number in 0..<count {
      text += space(depth + (kind == .strings ? 0 : 1))
      if isDictionary {
        var name = key()
        if kind != .json, keys.contains(name), !chance(0.3) { name += String(number) }
        if isSorted { name = "\(number)" + name }
        keys.append(name)
        text += entry(name, depth)
      } else {
        text += value(depth + 1)
        let hasComma = number < count - 1 || kind != .json && chance(0.3)
        if kind != .xml, hasComma { text += (chance(0.2) ? inlineSpace() : "") + "," }
      }
      if kind == .json, isDictionary, number < count - 1 { text += "," }
      if chance(0.15) { text += " " + comment() }
    }
    return text + space(depth)
  }

  private mutating func entry(_ name: String, _ depth: Int) -> String {
    switch kind {
    case .xml:
      let text = chance(0.1) ? "<![CDATA[\(name)]]>" : name.replacing("&", with: "&amp;")
      return "<key>\(text)</key>" + (isTidy ? space(depth + 1) : pick(["", " ", comment()]))
        + value(depth + 1)
    case .json:
      return quoted(name) + pick([":", " : ", ": "]) + value(depth + 1)
    case .openStep, .strings:
      let isQuoted = kind == .strings || chance(0.3)
      let key = isQuoted || !Self.isWord(name) ? quoted(name) : name
      if chance(0.05) { return key + ";" }
      return key + pick([" = ", "=", " =\t", " \(inlineSpace()) = "]) + value(depth + 1)
        + (chance(0.1) ? inlineSpace() : "") + ";"
    }
  }

  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  // MARK: Space and comments

  private mutating func space(_ depth: Int) -> String {
    var text = ""
    for _ in 0..<(chance(0.8) ? 1 : 2) {
      if isTidy, !chance(0.1) {
        text += lineBreak + (chance(0.15) ? lineBreak : "")
        text += String(repeating: indentation, count: depth)
        if chance(0.2) {
          text += comment() + lineBreak + String(repeating: indentation, count: depth)
        }
      } else {
        text += pick(["", " ", "\t", lineBreak, "  "]) + (chance(0.25) ? " " + comment() : "")
      }
    }
    return text
  }

  private mutating func inlineSpace() -> String {
    commentCount += 1
    return pick([" ", "\t", kind == .xml || kind == .json ? "" : " /* c\(commentCount) */", ""])
  }

  /// Returns a comment with a new number.
  private mutating func comment() -> String {
    commentCount += 1
    let name = "c\(commentCount)"
    switch kind {
    case .xml:
      return pick([
        "<!-- \(name) -->", "<!--\(name)\(lineBreak)<key>x</key>-->", "<!-- \(name) --> ",
        "<?pi \(name)?>",
      ])
    case .openStep, .strings:
      return pick([
        "/* \(name) */", "// \(name)\(lineBreak)", "/* \(name)\(lineBreak) \"a\" = b; */",
        "/*\(name)*/",
      ])
    case .json: return pick([" ", ""])
    }
  }

  // MARK: Leaves

  private static let texts = [
    "", "a", "word", "two words", "1.5", "a/b//c", "é", "x\ny", "a&b", "\"q\"", "it's", "日本", "\\",
    "-", "😀", "$(A)", "/* no */",
  ]

  private mutating func leaf() -> String {
    switch kind {
    case .xml:
      return pick([
        xmlString(), xmlString(), "<true/>", "<false></false>", "<integer> 42 </integer>",
        "<integer>0x1F</integer>", "<real>1.50</real>", "<date>2024-01-02T03:04:05Z</date>",
        "<data>\(lineBreak)AQID\(lineBreak) BA==</data>", "<data/>", "<data>AQID</data>",
        "<string/>", "<string a='1'>y</string >",
      ])
    case .json:
      return pick([quoted(pick(Self.texts)), "true", "null", "-12", "1.50e1", "\"a\\/b\\u0041\""])
    case .openStep, .strings:
      let text = pick(Self.texts)
      return pick([
        quoted(text), Self.isWord(text) ? text : quoted(text), "'single'", "<01 02 0f>", "word",
        "\"\\U00e9\\101\\n\"",
      ])
    }
  }

  private mutating func xmlString() -> String {
    let text = pick(Self.texts)
    if chance(0.2) { return "<string><![CDATA[\(text)]]>x</string>" }
    return "<string>"
      + text.replacing("&", with: pick(["&amp;", "&#38;", "&#x26;"])).replacing("<", with: "&lt;")
      + "</string>"
  }

  private func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(kind == .json ? escaped.replacing("\n", with: "\\n") : escaped)\""
  }

  mutating func key() -> String {
    pick(["a", "b", "Key", "key 2", "é", "a&b", "x.y", "B", "10", "9", "zz", "", "Name", "\"", "c"])
  }

  // MARK: Values for edits

  /// Returns a value that the format can hold.
  mutating func newValue(depth: Int = 0) -> PlistValue {
    if depth < 3, chance(0.3) {
      if chance(0.5) {
        return .array((0..<number(0...3)).map { _ in newValue(depth: depth + 1) })
      }
      return .dictionary(
        PlistDictionary((0..<number(0...3)).map { _ in (key(), newValue(depth: depth + 1)) }))
    }
    let text = PlistValue.string(pick(Self.texts + ["\r", "a\tb", "]]>", "<", "*/", "//"]))
    let data = PlistValue.data(Data((0..<number(0...60)).map { UInt8($0) }))
    switch kind {
    case .xml:
      return pick([
        text, text, data, true, false, 7, -3, 1.25,
        .time(1000),
      ])
    case .json: return pick([text, text, true, .null, 7, 1.25])
    case .openStep, .strings: return pick([text, text, text, data])
    }
  }
}
