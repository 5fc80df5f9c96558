package import Foundation
package import PropertyList

/// A value as text, made without a reader or writer of the package: one line for each node,
/// containers before what they hold, keys in the order of their code points, reals and dates as the
/// bits of a double.
package struct TypedText: Equatable {
  package private(set) var lines: [String] = []

  package init(_ value: PlistValue) {
    append(value)
  }

  /// The lines of a file.
  package init(contentsOf url: URL) throws {
    self.init(text: String(decoding: try Data(contentsOf: url), as: UTF8.self))
  }

  /// The lines of a text.
  init(text: String) {
    lines = text.split(separator: "\n").map(String.init)
  }

  /// The file that holds the lines.
  package var data: Data { Data(lines.map { $0 + "\n" }.joined().utf8) }

  /// The text that replaces a value that a peer could not read or write.
  package var error: String? {
    guard let first = lines.first, first.hasPrefix("error ") else { return nil }
    return String(first.dropFirst(6))
  }

  /// The first line that is not as expected, or nil where the texts are equal.
  package func difference(from expected: TypedText) -> String? {
    guard self != expected else { return nil }
    let count = max(lines.count, expected.lines.count)
    let line = (0..<count).first { self.line($0) != expected.line($0) } ?? 0
    return "node \(line) is <\(self.line(line))>, expected <\(expected.line(line))>"
  }

  /// One line, cut to a length that can be read.
  private func line(_ number: Int) -> String {
    lines.indices.contains(number) ? String(lines[number].prefix(400)) : "none"
  }

  private mutating func append(_ value: PlistValue) {
    switch value {
    case .dictionary(let dictionary):
      lines.append("dictionary \(dictionary.count)")
      let ordered = zip(dictionary.keys, dictionary.values).sorted { left, right in
        left.0.unicodeScalars.lexicographicallyPrecedes(right.0.unicodeScalars)
      }
      for (key, value) in ordered {
        lines.append("key " + Self.escaped(key))
        append(value)
      }
    case .array(let elements):
      lines.append("array \(elements.count)")
      for element in elements { append(element) }
    case .set(let elements):
      lines.append("set \(elements.count)")
      for element in elements { append(element) }
    case .string(let string): lines.append("string " + Self.escaped(string))
    case .integer(let number): lines.append("integer \(number)")
    case .unsignedInteger(let number): lines.append("integer \(number)")
    case .real(let number): lines.append("real " + Self.bits(number))
    case .float(let number): lines.append("real " + Self.bits(Double(number)))
    case .boolean(let boolean): lines.append("boolean \(boolean)")
    case .date(let date):
      lines.append("date " + Self.bits(date.timeIntervalSinceReferenceDate))
    case .data(let data): lines.append("data " + Self.hexadecimal(data))
    case .uid(let uid): lines.append("UID \(uid)")
    case .null: lines.append("null")
    }
  }

  /// Text in ASCII: all but its printable characters, and the backslash, as `\e9;`.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if (0x20...0x7E).contains(scalar.value), scalar != "\\" {
        escaped.unicodeScalars.append(scalar)
      } else {
        escaped += "\\" + String(scalar.value, radix: 16) + ";"
      }
    }
    return escaped
  }

  /// The bits of a number, the same for all that are not a number.
  private static func bits(_ number: Double) -> String {
    let digits = String((number.isNaN ? Double.nan : number).bitPattern, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  private static func hexadecimal(_ data: Data) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
