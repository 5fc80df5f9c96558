/// A property list that was read, with its format and warnings.
public struct PlistDocument: Sendable, Hashable {
  /// The root value.
  public var value: PlistValue

  /// The format of the document.
  public var format: PlistFormat

  /// The oddities that the reader accepted, in document order.
  public var warnings: [PlistWarning]
}
