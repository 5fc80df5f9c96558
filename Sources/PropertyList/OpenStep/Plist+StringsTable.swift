package import FoundationEssentials

extension Plist {
  /// Returns whether OpenStep text with a dictionary as its root is a `.strings` table, which has
  /// no braces.
  ///
  /// - Parameter encoding: See ``PlistReadOptions/encoding``.
  package static func isStringsTable(_ data: Data, encoding: String? = nil) -> Bool {
    guard let text = try? OpenStepText(data, encoding: encoding) else { return false }
    return text.bytes.withUnsafeBytes { bytes in
      var scanner = OpenStepScanner(bytes)
      guard (try? scanner.skipSpace()) != nil else { return false }
      return !scanner.isAt("{")
    }
  }
}
