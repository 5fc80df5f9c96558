package import PropertyList

extension PlistDocument {
  /// The warning that the document is only a bare word, as any text of one word would be; nil
  /// otherwise.
  package var bareWord: PlistWarning? {
    warnings.first { $0.kind == .bareWord }
  }
}

extension PlistWarning {
  /// Whether the warning is about a control character, which writers of XML warn of, too.
  package var isAboutCharacter: Bool {
    if case .controlCharacter = kind { true } else { false }
  }
}
