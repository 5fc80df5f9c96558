internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// The three-way merge of the contents of files.
struct MergedFile {
  enum Outcome {
    /// Our file need not be written.
    case unchanged
    /// The new contents of our file, without conflicts, and the warnings from writing them.
    case merged(Data, warnings: [String])
    /// The new contents of our file, which cannot be read as a property list.
    case conflicts([PlistMerge.Conflict], Data)
    /// The files cannot be merged, for these reasons; the new contents are as for conflicts.
    case failure([(file: InputFile, message: String)], Data)
  }

  /// The side whose values are taken where there are conflicts.
  enum Side {
    case ours
    case theirs
  }

  let base: (file: InputFile, data: Data)
  let theirs: (file: InputFile, data: Data)
  let ours: InputFile
  /// The side that wins; nil if conflicts remain.
  let winner: Side?
  /// Whether the result is rewritten without comments and layout.
  let isReformatted: Bool

  /// A side that has been read.
  struct Version {
    let document: PlistDocument
    let data: Data
    let options: PlistReadOptions
  }

  /// Merges the other versions into our file. A clean result is read back before it is returned. A
  /// result with conflicts is returned only if it cannot be read as a property list.
  func outcome(for ourData: Data) -> Outcome {
    if ourData == theirs.data || theirs.data == base.data { return .unchanged }
    if ourData == base.data { return .merged(theirs.data, warnings: []) }
    var problems: [(file: InputFile, message: String)] = []
    func read(_ file: InputFile, _ data: Data) -> Version? {
      do {
        return try Self.read(data, options: file.options)
      } catch {
        problems.append((file, "\(error)"))
        return nil
      }
    }
    // If both sides have added the file, there is no common base.
    let old = base.data.isEmpty ? nil : read(base.file, base.data)
    let our = read(ours, ourData)
    let their = read(theirs.file, theirs.data)
    guard let our, let their, problems.isEmpty else {
      return .failure(problems, ConflictText.whole(ours: ourData, theirs: theirs.data))
    }
    let merge = PlistMerge(
      base: old?.document.value, ours: our.document.value, theirs: their.document.value)
    let model = Self.model(old, our, their)
    do {
      let writer = MergedDocumentWriter(
        base: old, ours: our, theirs: their, model: model, isReformatted: isReformatted)
      return try outcome(of: merge, our, their, writer)
    } catch {
      return .failure([(ours, "\(error)")], ConflictText.whole(ours: ourData, theirs: theirs.data))
    }
  }

  private func outcome(
    of merge: PlistMerge, _ our: Version, _ their: Version, _ writer: MergedDocumentWriter
  ) throws -> Outcome {
    func encode(_ value: PlistValue) throws -> EncodedPlist {
      let output = try writer.output(of: value)
      guard try Self.read(output.data, options: .forTools).document.value == value else {
        throw Self.inexact
      }
      return output
    }
    let format = writer.model.document.format
    guard merge.conflicts.isEmpty || winner != nil else {
      let ours = try encode(merge.ours).data
      let marked =
        format == .binary
        ? ConflictText.list(merge.conflicts, before: ours)
        : ConflictText.merged(
          ours: ours, theirs: try encode(merge.theirs).data, isReadable: Self.isReadable)
      guard !Self.isReadable(marked) else { throw Self.inexact }
      return .conflicts(merge.conflicts, marked)
    }
    let value = winner == .theirs ? merge.theirs : merge.ours
    if format == .binary {
      // A file that need not be written again is left unchanged.
      if value == our.document.value, our.document.format == format { return .unchanged }
      if value == their.document.value, their.document.format == format {
        return .merged(their.data, warnings: [])
      }
    }
    let output = try encode(value)
    return output.data == our.data ? .unchanged : .merged(output.data, warnings: output.warnings)
  }

  /// The version whose format the result has: theirs if only they have changed the format. `{}`,
  /// which means the same in JSON and in OpenStep text, is ignored.
  private static func model(_ old: Version?, _ our: Version, _ their: Version) -> Version {
    if their.document.isEmptyDictionary { return our }
    if our.document.isEmptyDictionary { return their }
    guard let old, !old.document.isEmptyDictionary else { return our }
    return old.document.format == our.document.format ? their : our
  }

  /// The error for a value that the format changes.
  private static let inexact = CommandFailure(
    "the merged property list cannot be represented exactly in its format")

  private static func read(_ data: Data, options: PlistReadOptions) throws -> Version {
    let document: PlistDocument
    do throws(PlistError) {
      document = try Plist.read(data, options: options)
      if document.format == .binary { try document.value.checkExpansion() }
    } catch {
      throw DocumentError(error)
    }
    if document.isBareWord { throw CommandFailure(PlistDocument.bareWordText) }
    if let warning = document.warnings.first(where: { $0.kind == .duplicateKey }) {
      throw CommandFailure("\(warning.keyPath.excerpt) appears more than once; cannot merge")
    }
    return Version(document: document, data: data, options: options)
  }

  /// Whether bytes can be read as a property list in any way.
  private static func isReadable(_ data: Data) -> Bool {
    var options = PlistReadOptions.forTools
    options.isLenient = true
    return ([nil] + PlistFormat.allCases).contains { format in
      (try? Plist.read(data, as: format, options: options)) != nil
    }
  }
}

extension PlistDocument {
  /// Whether the document is `{}`.
  fileprivate var isEmptyDictionary: Bool { format == .json && value == [:] }
}

/// Writes the merged property list. In a text, lines and comments that only one version has changed
/// are kept. Otherwise the text is ours, if ours has the format.
private struct MergedDocumentWriter {
  let base: MergedFile.Version?
  let ours: MergedFile.Version
  let theirs: MergedFile.Version
  /// The version whose format the result has.
  let model: MergedFile.Version
  /// Whether the result is rewritten without comments and layout.
  let isReformatted: Bool

  func output(of value: PlistValue) throws -> EncodedPlist {
    guard !isReformatted, model.document.format != .binary else {
      var options = PlistWriteOptions()
      options.keep(DocumentLayout(of: model.document, in: model.data), for: value)
      return try EncodedPlist(value, as: model.document.format, options: options)
    }
    if let text = mergedLines, let output = try? edit(text, to: value), output.keepsText {
      return output
    }
    return try edit(kept.data, to: value)
  }

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
    let document = try EditedPlistDocument(text, as: kept.document.format, options: kept.options)
    let other = kept.data == ours.data ? theirs : ours
    let source = try? EditedPlistDocument(other.data, options: other.options)
    var output = try EncodedPlist(editing: document) { document throws(PlistEditError) in
      try document.update(to: value, takingTextFrom: source)
    }
    output.warn(lostComments(in: output.data))
    return output
  }

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

/// The contents of a file with conflicts, which cannot be read as a property list.
struct ConflictText {
  /// Git's conflict markers, each on its own line.
  private enum Mark {
    static let ours = "<<<<<<< ours"
    static let separator = "======="
    static let theirs = ">>>>>>> theirs"
  }

  /// The merged text in a text format, with both sides' lines between marks where they differ.
  ///
  /// - Parameters:
  ///   - ours: The merged document with our values where there are conflicts.
  ///   - theirs: The same with their values.
  ///   - isReadable: Whether bytes can be read as a property list.
  static func merged(ours: Data, theirs: Data, isReadable: (Data) -> Bool) -> Data {
    let marked = Data(lines(ours, theirs).joined().utf8)
    // A mark inside a multi-line string would be part of the string.
    return isReadable(marked) ? whole(ours: ours, theirs: theirs) : marked
  }

  /// Both files as a whole, one after the other.
  static func whole(ours: Data, theirs: Data) -> Data {
    var text = Data((Mark.ours + "\n").utf8)
    for (contents, mark) in [(ours, Mark.separator), (theirs, Mark.theirs)] {
      text += contents
      if contents.last != UInt8(ascii: "\n") { text.append(UInt8(ascii: "\n")) }
      text += Data((mark + "\n").utf8)
    }
    return text
  }

  /// A list of the conflicts between marks, followed by the merged document with our values.
  static func list(_ conflicts: [PlistMerge.Conflict], before ours: Data) -> Data {
    var text = Mark.ours + "\n"
    for conflict in conflicts { text += lines("-", conflict.path, conflict.ours) }
    text += Mark.separator + "\n"
    for conflict in conflicts { text += lines("+", conflict.path, conflict.theirs) }
    text += Mark.theirs + "\n"
    return Data(text.utf8) + ours
  }

  /// The lines of all values inside a value, or a line that says that there is no value.
  private static func lines(_ sign: String, _ path: PlistKeyPath, _ value: PlistValue?) -> String {
    guard let value else { return "\(sign) \("\(path)".onOneLine) (removed)\n" }
    var lines = ""
    PlistTreeComparison.compare(value, with: nil) { difference in
      let path = PlistKeyPath(components: path.components + difference.path.components)
      let text = difference.value.exactLeafText
      lines += "\(sign) \("\(path)".onOneLine): \(text)\n"
    }
    return lines
  }

  /// The lines of two documents, with marks where they differ.
  private static func lines(_ ours: Data, _ theirs: Data) -> [String] {
    let (old, new) = (lines(of: ours), lines(of: theirs))
    let alignment = ArrayAlignment(of: old.map(PlistValue.string), with: new.map(PlistValue.string))
    var lines: [String] = []
    var position = 0
    for change in alignment.changes {
      lines += old[position..<change.first.lowerBound]
      lines.append(Mark.ours + "\n")
      lines += old[change.first]
      lines.append(Mark.separator + "\n")
      lines += new[change.second]
      lines.append(Mark.theirs + "\n")
      position = change.first.upperBound
    }
    return lines + old[position...]
  }

  private static func lines(of text: Data) -> [String] {
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { String(decoding: $0, as: UTF8.self) + "\n" }
  }
}
