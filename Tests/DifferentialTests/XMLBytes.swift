import Foundation

/// Comparisons of XML documents by their bytes.
extension Data {
  /// The document with up to 17 digits in every real, as the toolchain's plutil writes them.
  var withAllDigitsOfReals: Data {
    let start = Data("<real>".utf8)
    let end = Data("</real>".utf8)
    // Every real is on a separate line, and no text has the start of a tag.
    let lines = split(separator: 0x0A, omittingEmptySubsequences: false).map { line -> Data in
      guard let first = line.range(of: start), let last = line.range(of: end),
        case let text = String(decoding: line[first.upperBound..<last.lowerBound], as: UTF8.self),
        let number = Double(text), number.isFinite, number != 0
      else { return line }
      let digits = Data(String(format: "%.17g", number).utf8)
      return line[..<first.upperBound] + digits + line[last.lowerBound...]
    }
    return Data(lines.joined(separator: [0x0A]))
  }

  /// The first line that is not as expected, or nil where the documents are equal.
  func difference(from expected: Data) -> String? {
    guard self != expected else { return nil }
    let lines = [self, expected].map { $0.split(separator: 0x0A, omittingEmptySubsequences: false) }
    let number = zip(lines[0], lines[1]).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let texts = lines.map { lines -> String in
      guard let number else { return "\(lines.count) lines" }
      return String(decoding: lines[number].prefix(400), as: UTF8.self).debugDescription
    }
    return "line \((number ?? 0) + 1) is \(texts[0]), expected \(texts[1])"
  }
}
