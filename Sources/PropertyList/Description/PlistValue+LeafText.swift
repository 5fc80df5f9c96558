package import FoundationEssentials

extension PlistValue {
  /// The value of a leaf with its type, on one line; for a container only whether it is empty.
  /// Quotes, backslashes and control characters in strings are escaped, so that a string cannot be
  /// mistaken for something else or control the terminal.
  package var leafText: String {
    switch self {
    case .dictionary(let dictionary): dictionary.isEmpty ? "{}" : "{…}"
    case .array(let elements): elements.isEmpty ? "[]" : "[…]"
    case .set(let elements): elements.isEmpty ? "{()}" : "{(…)}"
    case .string(let string): string.quoted { !$0.isControl }
    case .integer(let number): String(number)
    case .unsignedInteger(let number): String(number)
    case .real(let number): "\(number)"
    case .float(let number): "\(number)"
    case .boolean(let boolean): String(boolean)
    case .date(let date): date.descriptionText
    case .data(let data): data.descriptionText
    case .uid(let uid): "<CFKeyedArchiverUID>{value = \(uid)}"
    case .null: "null"
    }
  }

  /// ``leafText`` with the details that it leaves out.
  package var exactLeafText: String {
    switch self {
    case .date(let date)
    where date.timeIntervalSinceReferenceDate.rounded(.down) != date.timeIntervalSinceReferenceDate:
      return "\(leafText) (\(date.timeIntervalSinceReferenceDate) s since 2001)"
    case .data(let data) where data.count > 24:
      return "\(leafText) (base64 \(data.base64EncodedString()))"
    default: return leafText
    }
  }
}

extension PlistValue: CustomDebugStringConvertible {
  /// The value on one line, with its types: `{"name": "x", "port": 80, "tags": [true, 1.0]}`. A text
  /// of more than a megabyte ends with `…`.
  public var debugDescription: String {
    var text = ""
    var walk = PlistTreeWalk(self, keyOrder: .sorted)
    while let event = walk.next() {
      if text.utf8.count > 1 << 20 { return text + "…" }
      if case .close(let kind, _) = event {
        text += kind.brackets.closing
        continue
      }
      if walk.index > 0 { text += ", " }
      if let key = walk.key { text += PlistValue.string(key).leafText + ": " }
      switch event {
      case .open(let value): text += value.kind.brackets.opening
      case .leaf(let value): text += value.exactLeafText
      case .close: break
      }
    }
    return text
  }
}

// The text of leaves in descriptions, as Foundation prints them.

extension Data {
  /// The number of bytes and the bytes: all of up to 24, else the first 16 and the last 8.
  package var descriptionText: String {
    if count <= 24 { return "{length = \(count), bytes = 0x\(hexadecimalText)}" }
    return "{length = \(count), bytes = 0x\(prefix(16).groups) ... \(suffix(8).groups) }"
  }

  private var groups: String {
    stride(from: startIndex, to: endIndex, by: 4).map { start in
      self[start..<start + 4].hexadecimalText
    }.joined(separator: " ")
  }

  /// The bytes in lower-case hexadecimal digits.
  package var hexadecimalText: String {
    String(unsafeUninitializedCapacity: count * 2) { buffer in
      let digits: StaticString = "0123456789abcdef"
      var position = 0
      for byte in self {
        buffer[position] = digits.utf8Start[Int(byte >> 4)]
        buffer[position + 1] = digits.utf8Start[Int(byte & 15)]
        position += 2
      }
      return position
    }
  }
}

extension Date {
  /// The date in UTC, as `2024-01-01 00:00:00 +0000`; if its year is out of range, the seconds
  /// since the start of 2001.
  package var descriptionText: String {
    UTCDateTime(self)?.descriptionText ?? timeIntervalSinceReferenceDate.descriptionText
  }
}

extension Double {
  /// The number in the fewest digits that are read back as the same number.
  package var descriptionText: String {
    if isInfinite { return self < 0 ? "-inf" : "inf" }
    if isZero { return sign == .minus ? "-0" : "0" }
    return NumberText.text(of: self)
  }
}

extension Float {
  /// The number in the fewest digits that read back to it as a `Float`.
  package var descriptionText: String { (Double(description) ?? Double(self)).descriptionText }
}
