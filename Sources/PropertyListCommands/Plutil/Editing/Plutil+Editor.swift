internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Manifests
internal import PropertyList

/// `-edit`
extension Plutil {
  static func editText(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let output = try Output.all(of: invocation, default: .inPlace)[0]
    let input = output.input
    let chosen = try invocation.argument(of: .form).map(TextForm.init(named:))
    guard !input.isStandardInput, !input.isStream else {
      return session.report("not a regular file", about: input.name)
    }
    guard let opened = input.load(in: session) else { return }
    let document = opened.document
    do {
      if let envelope = opened.envelope { throw CommandFailure("\(envelope); cannot be edited") }
      if document.isBareWord, !input.options.isLenient {
        throw CommandFailure("\(PlistDocument.bareWordText); use --lenient to edit it")
      }
      if document.format == .binary { try document.value.checkExpansion() }
      if chosen == nil || chosen?.format == document.format, isPlainText(opened) {
        let form = TextForm(document.format, isTyped: false, options: input.options)
        var edit = FileTextEdit(input: input, form: form, base: opened.contents)
        let ending = FilePath.fileExtension(of: input.operand)
        var editing = TextEditing(
          of: input.name, fileExtension: ending.isEmpty ? nil : ending, in: form,
          manifest: manifest(of: opened, in: input, session), session: session)
        editing.edit(opened.contents) { text in try edit.apply(text) }
      } else {
        let form = chosen ?? TextForm(document.format == .binary ? .xml : document.format)
        try editValue(opened, in: form, of: output, invocation, session)
      }
    } catch {
      session.report("\(error)", about: input.name)
    }
  }

  /// Whether an editor can show the document itself: text in UTF-8.
  private static func isPlainText(_ opened: InputDocument) -> Bool {
    guard opened.document.format != .binary, !opened.contents.starts(with: [0xEF, 0xBB, 0xBF]),
      let text = String(validating: opened.contents, as: UTF8.self)
    else { return false }
    let declaration = text.prefix { $0 != "\n" && $0 != ">" }.lowercased()
    return opened.document.format != .xml || !declaration.contains("encoding=")
      || declaration.contains("utf-8")
  }

  private static func manifest(
    of opened: InputDocument, in input: InputFile, _ session: Session
  ) -> PreferencesManifest? {
    do throws(CommandFailure) {
      return try InstalledManifests().manifest(for: opened.document.value, in: input)?.manifest
    } catch {
      session.warn(error, about: input.name)
      return nil
    }
  }

  private static func editValue(
    _ opened: InputDocument, in form: TextForm, of output: Output, _ invocation: Invocation,
    _ session: Session
  ) throws {
    var edit = try ValueEdit(opened.document.value, in: form)
    let input = output.input
    var editing = TextEditing(
      of: input.name, in: form, manifest: manifest(of: opened, in: input, session),
      session: session)
    editing.edit(edit.text) { text in
      var warnings: [String] = []
      let outcome = try edit.apply(text) { change in
        try input.replace { old in
          warnings = []
          let document = try input.open(old).document
          let new = change(document.value)
          guard new != document.value else { return nil }
          let replacement = Edit(path: PlistKeyPath(), action: .replace(new))
          let contents = try contents(
            of: output, making: [replacement], in: document, old, invocation)
          warnings = contents.warnings
          return contents.data
        }
      }
      guard case .applied(let differences, let isSaved, _) = outcome else { return outcome }
      return .applied(differences, isSaved: isSaved, warnings: warnings)
    }
  }
}

/// A person's edit of the text of a file, which is merged with the changes of others.
struct FileTextEdit {
  let input: InputFile
  let form: TextForm
  /// The text that the person's changes are compared with.
  var base: Data

  mutating func apply(_ text: Data) throws -> EditOutcome {
    // If the text is malformed, the error is about the person's text, with its line.
    _ = try form.value(of: text)
    let base = base
    var warnings: [String] = []
    var isSaved = false
    var values: (old: PlistValue, new: PlistValue)?
    var conflict: (outcome: EditOutcome, present: Data)?
    try input.replace { old in
      (warnings, values, conflict) = ([], nil, nil)
      func merge(for side: MergedFile.Side?) -> MergedFile.Outcome {
        MergedFile(
          base: (input, base), theirs: (input, old), ours: input, winner: side,
          isReformatted: false
        ).outcome(for: text)
      }
      let new: Data
      switch merge(for: nil) {
      case .unchanged: new = text
      case .merged(let data, let notes): (new, warnings) = (data, notes)
      case .conflicts(let conflicts, _):
        guard case .merged(let merged, _) = merge(for: .ours) else {
          conflict = (.conflicts(conflicts, text: text), old)
          return nil
        }
        conflict = (.conflicts(conflicts, text: merged), old)
        return nil
      case .failure(let problems, _): throw CommandFailure(problems.map(\.message))
      }
      values = (try input.open(old).document.value, try input.open(new).document.value)
      isSaved = new != old
      return isSaved ? new : nil
    }
    if let conflict {
      self.base = conflict.present
      return conflict.outcome
    }
    return .applied(
      values.map { $0.old.differences(to: $0.new) } ?? [], isSaved: isSaved, warnings: warnings)
  }
}
