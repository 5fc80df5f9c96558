/// How to write a document.
public struct PlistWriteOptions: Sendable, Hashable {
  /// What the document may ask of the machine that reads it.
  public var limits = PlistLimits()

  /// In what order the keys of a dictionary are written.
  public var keyOrder = KeyOrder.sorted

  /// Whether to throw ``PlistError/Kind/fractionalSeconds(_:)`` for a date that the format would
  /// round down to whole seconds, as all but binary do.
  public var rejectsFractionalSeconds = false

  /// Whether JSON and OpenStep text hold a string in the place of a value that they have no type for,
  /// which is an error otherwise.
  ///
  /// In JSON a date is one in ISO 8601, such as `2024-01-31T23:59:59Z`, and data is base64. In OpenStep
  /// text a date is `2024-01-31 23:59:59 +0000`, a number its digits, and a boolean `1` or `0`. UIDs,
  /// sets, and in JSON infinity and nan, are refused all the same, as is null in OpenStep text.
  public var allowsLossyConversion = false

  /// Whether JSON is laid out for people, with a line for each value and two spaces a level, as by
  /// `plutil -r`; it has no white space otherwise.
  public var isPrettyPrinted = false

  /// Whether OpenStep text has GNUstep's typed values for numbers, booleans and dates, which few other
  /// programs read; see ``PlistReadOptions/allowsTypedValues``.
  public var writesTypedValues = false

  /// Whether OpenStep text is a `.strings` table: a dictionary without braces, with all its keys and
  /// strings in quotes, and with characters beyond ASCII as they are.
  public var writesStringsTable = false

  /// An order of keys.
  public enum KeyOrder: Sendable, Hashable {
    /// By UTF-16 code units, as Apple's writers sort: the same output for equal values.
    case sorted
    /// As they stand in the ``PlistDictionary``.
    case document
  }

  /// The default options.
  public init() {}
}
