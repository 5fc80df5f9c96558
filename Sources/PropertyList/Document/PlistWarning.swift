/// Something odd in a document that was read all the same.
public struct PlistWarning: Sendable, Hashable {
  /// What is odd.
  public var kind: Kind

  /// Where in the document.
  public var location: PlistError.Location?

  /// The value that the warning is about.
  public var keyPath: PlistKeyPath

  /// The oddities that readers accept.
  public enum Kind: Sendable, Hashable {
    /// A dictionary holds the key twice; the last value counts.
    case duplicateKey
    /// An XML document without the `<plist>` element around its value.
    case noPlistElement
    /// An OpenStep document that is one bare word, as any text file of one word is.
    case bareWord
  }
}

extension PlistWarning: CustomStringConvertible {
  /// One line of text, such as `line 4 column 2: the key appears twice; the last value counts`.
  public var description: String {
    let what =
      switch kind {
      case .duplicateKey: "the key appears twice; the last value counts"
      case .noPlistElement: "there is no <plist> element around the value"
      case .bareWord: "the document is only a bare word, read as a string"
      }
    return PlistError.describe(what, at: location, keyPath: keyPath)
  }
}
