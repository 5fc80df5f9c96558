/// Bytes that replace a range of a text.
struct TextReplacement {
  let range: Range<Int>
  let bytes: [UInt8]

  init(_ range: Range<Int>, _ bytes: [UInt8] = []) {
    self.range = range
    self.bytes = bytes
  }

  /// Returns replacements in the order of their ranges. Ranges that are only removed may overlap,
  /// and become one.
  static func ordered(_ replacements: [TextReplacement]) -> [TextReplacement] {
    var ordered: [TextReplacement] = []
    let sorted = replacements.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    for (_, next) in sorted {
      if next.bytes.isEmpty, let last = ordered.last, last.bytes.isEmpty,
        next.range.lowerBound < last.range.upperBound
      {
        let end = max(last.range.upperBound, next.range.upperBound)
        ordered[ordered.count - 1] = TextReplacement(last.range.lowerBound..<end)
      } else {
        ordered.append(next)
      }
    }
    return ordered
  }
}
