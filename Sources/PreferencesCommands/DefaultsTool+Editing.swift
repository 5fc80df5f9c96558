internal import CommandLineInterface
internal import Manifests
internal import Preferences
internal import PropertyList

/// `edit`
extension DefaultsTool {
  /// The words after the domain of `edit`.
  struct EditArguments {
    /// The key; nil for the whole domain.
    var key: String?
    /// The form of the text.
    var form = TextForm(.xml)

    /// The option that chooses the form.
    static let option = "--as"

    init(_ words: [String]) throws(UsageError) {
      var words = words[...]
      if let option = words.lastIndex(of: Self.option), option == words.endIndex - 2 {
        form = try TextForm(named: words.removeLast())
        words.removeLast()
      }
      guard words.count <= 1 else {
        throw UsageError("edit takes a domain, a key, and \(Self.option) with a form")
      }
      key = words.first
    }
  }

  /// Lets a person edit a domain, or the value of a key, in an editor.
  func edit(_ arguments: EditArguments, of domain: DomainArgument) throws(CommandFailure) {
    let key = arguments.key
    let values = try store(of: domain).plistRepresentation
    guard !values.isEmpty, let value = key.map({ values[$0] }) ?? .dictionary(values) else {
      throw missing(domain, key)
    }
    var edit: ValueEdit
    do {
      edit = try ValueEdit(value, ofKey: key, in: arguments.form)
    } catch {
      throw CommandFailure("\(domain.name): \(error)")
    }
    var editing = TextEditing(
      of: domain.name, key: key, in: arguments.form,
      manifest: readableManifest(of: domain)?.manifest, session: session)
    editing.edit(edit.text) { text in
      try edit.apply(text) { change in
        try update(domain) { values throws(CommandFailure) in
          if case .dictionary(let new) = change(.dictionary(values)) { values = new }
        }
      }
    }
  }

  /// The completions of a word after `edit`.
  @Sendable
  static func editCompletions(
    after before: Invocation, _ current: String
  ) -> [CommandLineTool.Completion] {
    if before.operands.last == EditArguments.option { return [.words(TextForm.names)] }
    let completions = completions(of: [domain, key], after: before, current)
    return before.operands.isEmpty ? completions : completions + [.words([EditArguments.option])]
  }
}
