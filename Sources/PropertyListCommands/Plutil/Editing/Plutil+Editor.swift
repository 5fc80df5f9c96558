internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import Manifests
internal import PropertyList

/// `-edit`
extension Plutil {
  /// Lets a person edit a file in an editor.
  static func editText(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let output = try Output.all(of: invocation, default: .inPlace)[0]
    let input = output.input
    let chosen = try invocation.argument(of: Option.form).map(TextForm.init(named:))
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
        let ending = PropertyListDetection.fileExtension(of: input.operand)
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

  /// Whether an editor shows a document as it is, and not in another form: text in UTF-8.
  private static func isPlainText(_ opened: InputDocument) -> Bool {
    guard opened.document.format != .binary, !opened.contents.starts(with: [0xEF, 0xBB, 0xBF]),
      let text = String(validating: opened.contents, as: UTF8.self)
    else { return false }
    let declaration = text.prefix { $0 != "\n" && $0 != ">" }.lowercased()
    return opened.document.format != .xml || !declaration.contains("encoding=")
      || declaration.contains("utf-8")
  }

  /// The installed manifest for a file; nil without one that can be read.
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
        try AtomicFile(input.operand).update(limit: PlistLimits().maximumSize) { present in
          warnings = []
          guard let old = present.contents else { throw FileSystemError(.open, code: ENOENT) }
          let document = try input.open(old.data).document
          let new = change(document.value)
          guard new != document.value else { return nil }
          let replacement = Edit(path: PlistKeyPath(), action: .replace(new))
          let contents = try contents(
            of: output, making: [replacement], in: document, old.data, invocation)
          warnings = contents.warnings
          return contents.data
        }
      }
      guard case .applied(let differences, let isSaved, _) = outcome else { return outcome }
      return .applied(differences, isSaved: isSaved, warnings: warnings)
    }
  }
}
