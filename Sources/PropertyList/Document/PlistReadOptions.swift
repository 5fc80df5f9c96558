/// How to read a document.
public struct PlistReadOptions: Sendable, Hashable {
  /// What a document may ask of the machine.
  public var limits = PlistLimits()

  /// Whether `<date>` may have a fraction of a second and an offset from UTC, as ISO 8601 allows and
  /// property lists do not.
  public var allowsLenientDates = false

  /// Whether OpenStep text may hold GNUstep's typed values: `<*I5>`, `<*R1.5>`, `<*BY>` and
  /// `<*D2024-01-01 00:00:00 +0000>`.
  public var allowsTypedValues = false

  /// The default options.
  public init() {}
}
