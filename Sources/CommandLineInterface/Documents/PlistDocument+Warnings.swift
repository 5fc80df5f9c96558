package import PropertyList

extension PlistDocument {
  /// Whether the document is only a bare word, as any text of one word would be.
  package var isBareWord: Bool {
    warnings.contains { $0.kind == .bareWord }
  }

  /// The message about such a document where it would be overwritten.
  package static let bareWordText =
    "the file is a single word, which may not be a property list"
}

extension PlistWarning {
  /// Whether the warning is about a control character, which writers of XML also warn about.
  package var isAboutCharacter: Bool {
    if case .controlCharacter = kind { true } else { false }
  }
}
