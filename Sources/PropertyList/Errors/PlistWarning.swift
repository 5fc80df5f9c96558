/// An oddity in a document that a reader accepts.
public struct PlistWarning: Sendable, Hashable {
  /// The kind of warning.
  public var kind: Kind

  /// The location in the document.
  public var location: PlistError.Location?

  /// The path of the value that the warning is about.
  public var keyPath: PlistKeyPath

  /// The kinds of warnings.
  public enum Kind: Sendable, Hashable {
    /// A dictionary contains a key more than once; the last value is used.
    case duplicateKey
    /// An XML document has no `<plist>` element around its value.
    case noPlistElement
    /// An OpenStep document is a single bare word, as any text file of one word is.
    case bareWord
  }
}

extension PlistWarning: CustomStringConvertible {
  /// The warning on one line, such as `line 4 column 2: the key appears more than once; the last
  /// value is used`.
  public var description: String {
    let what =
      switch kind {
      case .duplicateKey: "the key appears more than once; the last value is used"
      case .noPlistElement: "the value has no <plist> element around it"
      case .bareWord: "the document is a single bare word, read as a string"
      }
    return PlistError.describe(what, at: location, keyPath: keyPath)
  }
}
