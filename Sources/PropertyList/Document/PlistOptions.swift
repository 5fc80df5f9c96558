/// Options for reading a document.
public struct PlistReadOptions: Sendable, Hashable {
  /// The limits on the document.
  public var limits = PlistLimits()

  /// Whether dates in XML and in GNUstep's typed values may have the fractions of seconds and
  /// offsets from UTC of ISO 8601, which property lists do not allow.
  public var allowsLenientDates = false

  /// Whether OpenStep text may contain GNUstep's typed values: `<*I5>`, `<*R1.5>`, `<*BY>` and
  /// `<*D2024-01-01 00:00:00 +0000>`.
  public var allowsTypedValues = false

  /// Whether base64 in XML may contain characters that are not base64, which are skipped with a
  /// warning, and lack its padding.
  public var allowsMalformedBase64 = false

  /// The name of the encoding of OpenStep text without a byte-order mark, as iconv knows it, such as
  /// `MACINTOSH` or `SHIFT_JIS`; nil for UTF-8.
  public var encoding: String?

  /// Whether to record the lines where the values of a text format begin.
  package var recordsLines = false

  /// Whether the text of a document in a text format is returned with the places of its values.
  var recordsIndex = false

  var needsIndex: Bool { recordsLines || recordsIndex }

  /// The default options.
  public init() {}
}

/// Options for writing a document.
public struct PlistWriteOptions: Sendable, Hashable {
  /// The limits on the document.
  public var limits = PlistLimits()

  /// The order of the keys in dictionaries.
  public var keyOrder = KeyOrder.sorted

  /// Whether to throw ``PlistError/Kind/fractionalSeconds(_:)`` for dates with a fraction of a
  /// second, which all formats but binary otherwise round down.
  public var rejectsFractionalSeconds = false

  /// Whether control characters, which XML excludes, are written to it unchanged, as Apple's
  /// writers do; otherwise they are an error. NUL, U+FFFE and U+FFFF are always errors.
  public var allowsControlCharacters = false

  /// Whether values of types that JSON and OpenStep text lack are written as strings; otherwise
  /// they are an error.
  ///
  /// In JSON a date becomes ISO 8601, such as `2024-01-31T23:59:59Z`, and data becomes base64. In
  /// OpenStep text, a date becomes `2024-01-31 23:59:59 +0000`, a number its digits, and a boolean
  /// `1` or `0`. UIDs and sets remain errors, as do infinity and NaN in JSON and null in OpenStep
  /// text.
  public var allowsLossyConversion = false

  /// Whether JSON has a line for each value, indented by two spaces per level, as `plutil -r`
  /// writes it. Otherwise it has no white space.
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
