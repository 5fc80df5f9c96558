/// A property list as a reader found it.
public struct PlistDocument: Sendable, Hashable {
  /// The root value.
  public var value: PlistValue

  /// The format in which it was stored.
  public var format: PlistFormat

  /// What was odd about it, in the order of the document.
  public var warnings: [PlistWarning]
}
