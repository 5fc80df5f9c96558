internal import FileStorage
package import FoundationEssentials
internal import Glibc
package import PropertyList

/// What became of a text that a person has edited.
package enum EditOutcome {
  /// It made these differences.
  case applied([PlistDifference], warnings: [String])
  /// Nothing was changed because others have changed the same values. The text has the changes of both
  /// and, where there are conflicts, the person's values.
  case conflicts([PlistMerge.Conflict], text: Data)
}

/// Lets a person edit a text until it can be applied, or the person gives up.
package struct TextEditing {
  private let name: String
  private let form: TextForm
  private let session: Session

  /// - Parameter name: What is edited, for messages and the name of the temporary file.
  package init(of name: String, in form: TextForm, session: Session) {
    (self.name, self.form, self.session) = (name, form, session)
  }

  /// Opens a text in the user's editor, and applies what becomes of it.
  ///
  /// Every way out is reported. A text that could not be applied stays in its file.
  ///
  /// - Parameter apply: Applies a text. After an error the person may edit it again.
  package func edit(_ text: Data, _ apply: (Data) throws -> EditOutcome) {
    do {
      let editor = try EditorProgram()
      let file = try ScratchFile(
        name: FilePath.split(name).name, fileExtension: form.fileExtension)
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
  private func edit(
    _ original: Data, in file: ScratchFile, _ editor: EditorProgram,
    _ apply: (Data) throws -> EditOutcome
  ) throws -> Bool {
    var text = original
    var problem: EditProblem?
    while true {
      let notice = problem?.notice ?? []
      let written = form.text(text, below: notice)
      try file.write(written)
      var failure: CommandFailure?
      do throws(CommandFailure) { try editor.edit(file.path) } catch { failure = error }
      let saved = try file.read(limit: PlistLimits().maximumSize)
      let edited = form.withoutNotice(saved, ofLines: notice.count)
      if let failure {
        let isKept = edited != original && !edited.isBlank
        if isKept { try file.write(edited) }
        let place = isKept ? "; your text is in \(file.path)" : ""
        session.report("\(failure); nothing was changed\(place)", about: name)
        return isKept
      }
      guard !edited.isBlank else {
        session.report("the text is empty; nothing was changed", about: name)
        return false
      }
      if problem == nil, saved == written {
        session.note("\(name): the text is unchanged; nothing was changed")
        return false
      }
      // After a conflict, the person decides by changing something.
      if saved != written || !(problem?.isConflict ?? false) {
        text = edited
        do {
          switch try apply(edited) {
          case .applied(let differences, let warnings):
            session.warn(warnings, about: name)
            for difference in differences { session.print(difference) }
            return false
          case .conflicts(let conflicts, let merged):
            text = merged
            problem = .conflicts(conflicts)
          }
        } catch {
          problem = .error(error)
        }
      }
      try file.write(text)
      for line in problem?.lines() ?? [] { session.note("\(name): \(line)") }
      session.note("\(name): nothing was changed; your text is in \(file.path)")
      guard wantsToEditAgain() else {
        session.failSilently()
        return true
      }
    }
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
