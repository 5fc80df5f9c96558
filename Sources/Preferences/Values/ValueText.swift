internal import FoundationEssentials
internal import PropertyList

/// Values as text, from environment variables and the command line.
enum ValueText {
  /// Returns nil if the text is not of the kind. Any text is a string, also for kinds without a
  /// text form.
  static func value(_ text: String, as kind: PlistValue.Kind) -> PlistValue? {
    switch kind {
    case .integer: Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsignedInteger($0) }
    case .real: real(text).map { .real($0) }
    case .boolean: PlistValue(booleanText: text, acceptsOnOff: true)
    case .date: try? PlistValue(dateText: text)
    case .data: Data(base64Encoded: text).map { .data($0) }
    case .array, .dictionary: container(text, kind)
    case .string, .uid, .set, .null: .string(text)
    }
  }

  private static func real(_ text: String) -> Double? {
    text[...].decimalPrefix.endIndex == text.endIndex ? Double(text) : nil
  }

  private static func container(_ text: String, _ kind: PlistValue.Kind) -> PlistValue? {
    guard let value = try? Plist.read(Data(text.utf8)).value, value.kind == kind,
      (try? value.checkStorable()) != nil
    else { return nil }
    return value
  }
}
