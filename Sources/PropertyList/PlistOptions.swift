/// How to read a document.
public struct PlistReadOptions: Sendable, Hashable {
  /// What a document may ask of the machine.
  public var limits = PlistLimits()

  /// Whether `<date>` may have a fraction of a second and an offset from UTC, as ISO 8601 allows and
  /// property lists do not.
  public var lenientDates = false

  /// Whether OpenStep text may hold GNUstep's typed values: `<*I5>`, `<*R1.5>`, `<*BY>` and
  /// `<*D2024-01-01 00:00:00 +0000>`.
  public var typedValues = false

  /// The default options.
  public init() {}
}

/// How to write a document.
public struct PlistWriteOptions: Sendable, Hashable {
  /// What the document may ask of the machine that reads it.
  public var limits = PlistLimits()

  /// In what order the keys of a dictionary are written.
  public var keyOrder = KeyOrder.sorted

  /// Whether to throw ``PlistError/Kind/fractionalSeconds(_:)`` for a date that the format would
  /// round down to whole seconds, as XML does.
  public var exact = false

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
