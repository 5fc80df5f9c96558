internal import FoundationEssentials

extension PlistValue {
  /// The value of a leaf with its type, on one line; for a container only whether it is empty.
  ///
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
    default:
      return leafText
    }
  }
}

extension PlistValue: CustomDebugStringConvertible {
  /// The value on one line, with its types: `{"name": "x", "port": 80, "tags": [true, 1.0]}`. A text
  /// of more than a megabyte ends with `…`.
  public var debugDescription: String {
    var text = ""
    var walk = PlistTreeWalk(self, keyOrder: .sorted)
    func open(_ kind: Kind) -> String { kind == .array ? "[" : kind == .set ? "{(" : "{" }
    func close(_ kind: Kind) -> String { kind == .array ? "]" : kind == .set ? ")}" : "}" }
    while let event = walk.next() {
      if text.utf8.count > 1 << 20 { return text + "…" }
      if case .close(let kind, _) = event {
        text += close(kind)
        continue
      }
      if walk.index > 0 { text += ", " }
      if let key = walk.key { text += PlistValue.string(key).leafText + ": " }
      switch event {
      case .open(let value): text += open(value.kind)
      case .leaf(let value): text += value.exactLeafText
      case .close: break
      }
    }
    return text
  }
}
