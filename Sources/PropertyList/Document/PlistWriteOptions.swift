/// Options for writing a document.
public struct PlistWriteOptions: Sendable, Hashable {
  /// The limits on the document.
  public var limits = PlistLimits()

  /// The order of the keys in dictionaries.
  public var keyOrder = KeyOrder.sorted

  /// Whether to throw ``PlistError/Kind/fractionalSeconds(_:)`` for dates with a fraction of a
  /// second, which all formats but binary otherwise round down.
  public var rejectsFractionalSeconds = false

  /// Whether control characters, which XML excludes, are written to it as they are, as Apple's
  /// writers do; they are an error otherwise. NUL, U+FFFE and U+FFFF always are.
  public var allowsControlCharacters = false

  /// Whether values of types that JSON and OpenStep text lack are written as strings; they are an
  /// error otherwise.
  ///
  /// In JSON a date becomes ISO 8601, such as `2024-01-31T23:59:59Z`, and data base64. In OpenStep
  /// text a date becomes `2024-01-31 23:59:59 +0000`, a number its digits, and a boolean `1` or
  /// `0`. UIDs and sets remain errors, as do infinity and NaN in JSON and null in OpenStep text.
  public var allowsLossyConversion = false

  /// Whether JSON has a line for each value, indented by two spaces a level, as `plutil -r` writes
  /// it, instead of no white space.
  public var isPrettyPrinted = false

  /// Whether JSON ends with a newline.
  package var endsLine = false

  /// Whether numbers, booleans and dates in OpenStep text become GNUstep's typed values, which few
  /// other programs read; see ``PlistReadOptions/allowsTypedValues``.
  public var writesTypedValues = false

  /// Whether OpenStep text is written as a `.strings` table: a dictionary without braces, with all
  /// keys and strings quoted, and with characters beyond ASCII unescaped.
  public var writesStringsTable = false

  /// The orders of keys.
  public enum KeyOrder: Sendable, Hashable {
    /// Sorted by UTF-16 code units, as Apple's writers do.
    case sorted
    /// Sorted for people: regardless of case, with numbers by their value, and with punctuation
    /// before digits before letters, as Apple's `plutil -p` does.
    case natural
    /// In the order of the ``PlistDictionary``.
    case document
  }

  /// The default options.
  public init() {}
}
