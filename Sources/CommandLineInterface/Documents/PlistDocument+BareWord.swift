package import PropertyList

extension PlistDocument {
  /// The warning that the document is only a bare word, as any text of one word would be; nil
  /// otherwise.
  package var bareWord: PlistWarning? {
    warnings.first { $0.kind == .bareWord }
  }
}
