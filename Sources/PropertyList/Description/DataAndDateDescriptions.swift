package import FoundationEssentials

// The text of leaves in descriptions, as Foundation prints them.

extension Data {
  /// The number of bytes and the bytes: all of up to 24, else the first 16 and the last 8.
  package var descriptionText: String {
    if count <= 24 { return "{length = \(count), bytes = 0x\(hexadecimal)}" }
    return "{length = \(count), bytes = 0x\(prefix(16).groups) ... \(suffix(8).groups) }"
  }

  private var groups: String {
    stride(from: startIndex, to: endIndex, by: 4).map { start in
      self[start..<start + 4].hexadecimal
    }.joined(separator: " ")
  }

  private var hexadecimal: String {
    reduce(into: "") { text, byte in
      if byte < 16 { text += "0" }
      text += String(byte, radix: 16)
    }
  }
}

extension Date {
  /// The date in UTC, as `2024-01-01 00:00:00 +0000`; if its year is out of range, the seconds
  /// since the start of 2001.
  package var descriptionText: String {
    guard let dateTime = UTCDateTime(self) else {
      return timeIntervalSinceReferenceDate.descriptionText
    }
    return "\(dateTime.dayText) \(dateTime.timeText) +0000"
  }
}

extension Double {
  /// The number in the fewest digits that read back to it.
  package var descriptionText: String {
    if isInfinite { return self < 0 ? "-inf" : "inf" }
    if isZero { return sign == .minus ? "-0" : "0" }
    return ScalarText.text(of: self)
  }
}

extension Float {
  /// The number in the fewest digits that read back to it as a `Float`.
  package var descriptionText: String {
    (Double(description) ?? Double(self)).descriptionText
  }
}
