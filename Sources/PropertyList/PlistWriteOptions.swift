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
