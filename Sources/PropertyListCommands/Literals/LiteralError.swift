internal import PropertyList

/// An error for a value that cannot be written as a literal of a programming language.
struct LiteralError: Error {
  /// The reason.
  enum Kind: Error {
    /// The language has no literal for values of this kind.
    case unrepresentableKind(PlistValue.Kind)
    /// A dictionary has keys that the language considers equal.
    case equivalentKeys
    /// The source would be larger than property lists may be, or out of proportion to the value.
    case tooLarge(PlistError.Kind)
  }

  let kind: Kind
  let language: LiteralLanguage
  /// The path of the value that the error is about.
  let keyPath: PlistKeyPath
}

extension LiteralError: CustomStringConvertible {
  /// One line of text, such as `a Swift literal cannot represent a UID (key path $top.root)`.
  var description: String {
    let what =
      switch kind {
      case .unrepresentableKind(let kind):
        "\(language.article) \(language.title) literal cannot represent \(kind.withArticle)"
      case .equivalentKeys:
        "\(language.title) considers two of the keys equal, because they are canonically equivalent"
      case .tooLarge(let kind): "\(kind)"
      }
    return keyPath.isRoot ? what : "\(what) (key path \(keyPath.excerpt))"
  }
}
