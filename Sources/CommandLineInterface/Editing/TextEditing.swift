internal import FileStorage
package import FoundationEssentials
internal import Glibc
package import Manifests
package import PropertyList

/// What became of a text that a person has edited.
package enum EditOutcome {
  /// It made these differences.
  ///
  /// `isSaved` is whether anything was saved: the text of a file can change without its values.
  case applied([PlistDifference], isSaved: Bool, warnings: [String])
  /// Nothing was changed because others have changed the same values. The text has the changes of both
  /// and, where there are conflicts, the person's values.
  case conflicts([PlistMerge.Conflict], text: Data)
}

/// Lets a person edit a text until it can be applied, or the person gives up.
package struct TextEditing {
  private let name: String
  private let fileExtension: String
  private let form: TextForm
  private let session: Session
  private let manifest: PreferencesManifest?
  private let check: TextCheck?
  private var comments: TextComments

  /// - Parameters:
  ///   - name: What is edited, for messages and the name of the temporary file.
  ///   - fileExtension: The extension of that file; nil for the usual one of the form.
  ///   - key: The key whose value the text is; nil for a whole property list.
  ///   - manifest: The manifest that describes the property list. Its descriptions are comments in the
  ///     editor.
  package init(
    of name: String, fileExtension: String? = nil, key: String? = nil, in form: TextForm,
    manifest: PreferencesManifest?, session: Session
  ) {
    (self.name, self.form, self.session) = (name, form, session)
    (self.fileExtension, self.manifest) = (fileExtension ?? form.fileExtension, manifest)
    let description =
      if let key {
        manifest?.key(at: PlistKeyPath(components: [key]))
      } else {
        manifest?.root
      }
    check = manifest.map { TextCheck($0, ofKey: key, in: form) }
    comments = TextComments(description, in: form)
  }

  /// Opens a text in the user's editor, and applies what becomes of it.
  ///
  /// Every way out is reported. A text that could not be applied stays in its file.
  ///
  /// - Parameter apply: Applies a text. After an error the person may edit it again.
  package mutating func edit(_ text: Data, _ apply: (Data) throws -> EditOutcome) {
    do {
      let editor = try EditorProgram()
      let file = try ScratchFile(name: FilePath.split(name).name, fileExtension: fileExtension)
      do {
        if try !edit(text, in: file, editor, apply) { file.remove() }
      } catch {
        session.report("\(error); your text may be in \(file.path)", about: name)
      }
    } catch {
      session.report("\(error)", about: name)
    }
  }

  /// - Returns: Whether the file has a text that was not applied.
  private mutating func edit(
    _ original: Data, in file: ScratchFile, _ editor: EditorProgram,
    _ apply: (Data) throws -> EditOutcome
  ) throws -> Bool {
    /// The text that could not be applied.
    var kept: Data?
    var shown = comments.add(to: original)
    var numbers: [Int] = []
    var problem: EditProblem?
    while true {
      let notice = problem?.notice(numbering: numbers) ?? []
      let written = form.text(shown, below: notice)
      try file.write(written)
      var failure: CommandFailure?
      do throws(CommandFailure) { try editor.edit(file.path) } catch { failure = error }
      let saved = try file.read(limit: PlistLimits().maximumSize)
      let remaining = form.withoutNotice(saved, ofLines: notice.count)
      let edited: Data
      (edited, numbers) = comments.remove(from: remaining)
      guard failure == nil, !edited.isBlank else {
        if edited != original, !edited.isBlank { kept = edited }
        if let kept { try file.write(kept) }
        let reason = failure.map { "\($0)" } ?? "the text is empty"
        let place = kept == nil ? "" : "; your text is in \(file.path)"
        session.report("\(reason); nothing was changed\(place)", about: name)
        return kept != nil
      }
      if problem == nil, edited == original {
        session.note("\(name): the text is unchanged; nothing was changed")
        return false
      }
      // After a conflict, the person decides by changing something.
      if saved != written || !(problem?.isConflict ?? false) {
        (shown, kept) = (remaining, edited)
        do {
          let findings = try check?.warnings(about: edited, since: original) ?? []
          switch try apply(edited) {
          case .applied(let differences, let isSaved, let warnings):
            report(differences, isSaved: isSaved, warnings + findings.map(\.description))
            return false
          case .conflicts(let conflicts, let merged):
            (shown, kept) = (comments.add(to: merged), merged)
            problem = .conflicts(conflicts)
          }
        } catch {
          problem = .error(error)
        }
      }
      if let kept { try file.write(kept) }
      for line in problem?.texts() ?? [] { session.note("\(name): \(line)") }
      session.note("\(name): nothing was changed; your text is in \(file.path)")
      guard wantsToEditAgain() else {
        session.failSilently()
        return true
      }
    }
  }

  /// Prints what was changed.
  private func report(_ differences: [PlistDifference], isSaved: Bool, _ warnings: [String]) {
    session.warn(warnings, about: name)
    for difference in differences {
      session.print(difference, isSecret: manifest?.isSecret(difference.path) ?? false)
    }
    guard differences.isEmpty else { return }
    let rest = isSaved ? "the text was saved" : "nothing was changed"
    session.note("\(name): the values are unchanged; \(rest)")
  }

  /// Asks at a terminal whether to edit again.
  private func wantsToEditAgain() -> Bool {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return false }
    while true {
      try? Descriptor.standardError.writeAll(Data("Edit again? [y/n] ".utf8))
      guard let answer = readLine()?.lowercased() else { return false }
      if ["y", "yes"].contains(answer) { return true }
      if ["n", "no"].contains(answer) { return false }
    }
  }
}

extension Data {
  fileprivate var isBlank: Bool { allSatisfy { " \t\r\n".utf8.contains($0) } }
}
