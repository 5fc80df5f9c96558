/// JSON that can stand inside of HTML: every `<`, `>` and `&`, and the line separators of
/// JavaScript, are escaped, so that no text ends the element around it.
package struct JSONText: Sendable {
  /// The text in UTF-8.
  package private(set) var bytes: [UInt8] = []
  /// Whether a comma stands before the next value or key.
  private var needsComma = false

  /// An empty text.
  package init() {}

  /// Begins an array or an object.
  package mutating func open(_ bracket: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: bracket))
    needsComma = false
  }

  /// Ends an array or an object.
  package mutating func close(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  /// Writes the key of the next value.
  package mutating func key(_ text: String) {
    string(text)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a string.
  package mutating func string(_ text: String) {
    separate()
    append(quoted: text)
  }

  /// Writes an integer.
  package mutating func integer(_ number: Int) {
    separate()
    var text = String(number)
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Writes a boolean.
  package mutating func boolean(_ boolean: Bool) {
    raw(Array((boolean ? "true" : "false").utf8))
  }

  /// Writes JSON that is complete.
  package mutating func raw(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func append(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { units in
      var start = 0
      for (index, byte) in units.enumerated() where Self.isEscaped(byte) {
        // U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
        if byte == 0xE2 {
          guard units[index + 1] == 0x80, units[index + 2] & 0xFE == 0xA8 else { continue }
        }
        bytes.append(contentsOf: units[start..<index])
        append(
          escape: byte == 0xE2 ? 0x2000 | UInt16(units[index + 2] & 0x3F) : UInt16(byte))
        start = byte == 0xE2 ? index + 3 : index + 1
      }
      bytes.append(contentsOf: units[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether a byte has to be looked at: one that is escaped, or the first of a line separator.
  @inline(__always)
  private static func isEscaped(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, 0x22, 0x5C, 0x3C, 0x3E, 0x26, 0x7F, 0xE2: true
    default: false
    }
  }

  private mutating func append(escape unit: UInt16) {
    if unit == 0x22 || unit == 0x5C {
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(UInt8(unit))
      return
    }
    bytes.append(contentsOf: "\\u".utf8)
    for shift in [12, 8, 4, 0] {
      bytes.append(Array("0123456789abcdef".utf8)[Int(unit >> UInt16(shift)) & 0xF])
    }
  }
}

extension JSONText {
  /// Writes an array of integers.
  package mutating func integers(_ numbers: some Sequence<Int>) {
    open("[")
    for number in numbers { integer(number) }
    close("]")
  }

  /// Writes an array of strings.
  package mutating func strings(_ texts: some Sequence<String>) {
    open("[")
    for text in texts { string(text) }
    close("]")
  }
}
