package import FoundationEssentials

extension Plist {
  /// Whether OpenStep text, of which it is known that it holds a dictionary, is a `.strings` table: it has
  /// no braces then.
  package static func isStringsTable(_ data: Data) -> Bool {
    guard let text = try? OpenStepText(data) else { return false }
    return text.bytes.withUnsafeBytes { bytes in
      var scanner = OpenStepScanner(bytes)
      guard (try? scanner.skipSpace()) != nil else { return false }
      return !scanner.isAt("{")
    }
  }
}
