/// A property list that was read, with its format and warnings.
public struct PlistDocument: Sendable, Hashable {
  /// The root value.
  public var value: PlistValue

  /// The format of the document.
  public var format: PlistFormat

  /// The oddities that the reader accepted, in document order.
  public var warnings: [PlistWarning]

  /// The lines of the values in a text format; nil unless ``PlistReadOptions/recordsLines`` is set.
  package var lines: PlistLines?
}
