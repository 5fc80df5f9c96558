internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// Writes what a merge makes of a property list.
///
/// A text has the lines and comments that only one of the versions has changed. It is ours otherwise, if
/// ours has the format.
struct MergedDocumentWriter {
  let base: MergedFile.Version?
  let ours: MergedFile.Version
  let theirs: MergedFile.Version
  /// The version whose format the result has.
  let model: MergedFile.Version
  /// Whether the result is rewritten without comments and layout.
  let isReformatted: Bool

  /// Writes a value.
  func output(of value: PlistValue) throws -> EncodedPlist {
    guard !isReformatted, model.document.format != .binary else {
      var options = PlistWriteOptions()
      let layout = DocumentLayout(of: model.document, in: model.data)
      options.keep(layout, for: value)
      options.endsLine = layout.endsLine
      return try EncodedPlist(value, as: model.document.format, options: options)
    }
    if let text = mergedLines, let output = try? edit(text, to: value), output.keepsText {
      return output
    }
    return try edit(kept.data, to: value)
  }

  /// The version whose text is edited.
  private var kept: MergedFile.Version {
    ours.document.format == model.document.format ? ours : model
  }

  /// The lines of both versions; nil unless all versions have the same format.
  private var mergedLines: Data? {
    guard let base, base.document.format == model.document.format,
      ours.document.format == theirs.document.format
    else { return nil }
    return LineMerge(base: base.data, ours: ours.data, theirs: theirs.data).text
  }

  private func edit(_ text: Data, to value: PlistValue) throws -> EncodedPlist {
    let document = try EditedPlistDocument(
      text, as: kept.document.format, options: kept.options)
    let other = kept.data == ours.data ? theirs : ours
    let source = try? EditedPlistDocument(other.data, options: other.options)
    var output = try EncodedPlist(editing: document) { document throws(PlistEditError) in
      try document.update(to: value, takingTextFrom: source)
    }
    output.warn(lostComments(in: output.data))
    return output
  }

  // MARK: Comments

  /// A warning for each comment that one version has added and the result does not have.
  private func lostComments(in result: Data) -> [String] {
    let kept = Self.comments(in: result, kept.options)
    let old = base.map { Self.comments(in: $0.data, $0.options) } ?? []
    var warnings: [String] = []
    for (version, name) in [(ours, "our"), (theirs, "their")] {
      let added = Self.comments(in: version.data, version.options).subtracting(old)
      for comment in added.subtracting(kept).sorted() {
        warnings.append("\(name) comment is lost: \(comment.onOneLine)")
      }
    }
    return warnings
  }

  private static func comments(in data: Data, _ options: PlistReadOptions) -> Set<String> {
    (try? EditedPlistDocument(data, options: options)).map { Set($0.comments) } ?? []
  }
}
