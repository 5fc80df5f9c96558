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

  /// Whether the text of a text format is returned with the places of its values.
  var recordsIndex = false

  var needsIndex: Bool { recordsLines || recordsIndex }

  /// The default options.
  public init() {}
}
