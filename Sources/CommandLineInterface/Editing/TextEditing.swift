internal import CLinuxFile
internal import FileStorage
package import FoundationEssentials
internal import Glibc
package import Manifests
package import PropertyList

/// The outcome of editing a text.
package enum EditOutcome {
  /// The text was applied, with these differences.
  ///
  /// `isSaved` is whether anything was saved: the text of a file can change without its values.
  case applied([PlistDifference], isSaved: Bool, warnings: [String])
  /// Nothing was changed, because other programs have changed the same values. The text has the
  /// changes of both and, where there are conflicts, the person's values.
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

  /// Opens a text in the user's editor, and applies the result.
  ///
  /// Every outcome is reported. A text that could not be applied stays in its file.
  ///
  /// - Parameter apply: Applies a text. After an error the person may edit it again.
  package mutating func edit(_ text: Data, _ apply: (Data) throws -> EditOutcome) {
    session.reporting(about: name) {
      let editor = try EditorProgram()
      let file = try ScratchFile(name: FilePath.split(name).name, fileExtension: fileExtension)
      do {
        if try !edit(text, in: file, editor, apply) { file.remove() }
      } catch {
        session.report("\(error); your text may be in \(file.path)", about: name)
      }
    }
  }

  /// - Returns: Whether the file contains a text that was not applied.
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

/// Why the text of a person was not applied.
enum EditProblem {
  case error(any Error)
  case conflicts([PlistMerge.Conflict])

  var isConflict: Bool { if case .conflicts = self { true } else { false } }

  /// The lines above the text when it is edited again.
  ///
  /// - Parameter lines: The number of each line of the text, counted without the lines above it.
  func notice(numbering lines: [Int]) -> [String] {
    let count = texts().count + 1
    let hint =
      isConflict
      ? "Change the text, or remove these lines, to decide."
      : "These lines are removed when the text is read."
    let texts =
      switch self {
      case .error: texts { lines.indices.contains($0 - 1) ? lines[$0 - 1] + count : $0 + count }
      case .conflicts(let conflicts): conflicts.map(Self.values)
      }
    return texts + [hint]
  }

  /// One or more lines of text, without values.
  ///
  /// - Parameter number: Maps a line number to the one to print.
  func texts(_ number: (Int) -> Int = { $0 }) -> [String] {
    switch self {
    case .error(var error as PlistError):
      error.location = error.location?.renumbered(number)
      return ["\(error)"]
    case .error(var error as RepeatedKey):
      error.location = error.location?.renumbered(number)
      return ["\(error)"]
    case .error(let refusal as RefusedValues): return refusal.texts(number)
    case .error(let failure as CommandFailure): return failure.lines
    case .error(let error): return ["\(error)"]
    case .conflicts(let conflicts):
      return conflicts.map {
        "conflict at \(Self.place(of: $0)): another program has changed the same value"
      }
    }
  }

  /// What a person needs to decide about a conflict. The text below has the values as well.
  private static func values(of conflict: PlistMerge.Conflict) -> String {
    let (base, theirs, ours) = (conflict.base, conflict.theirs, conflict.ours)
    return "conflict at \(place(of: conflict)): was \(text(of: base)), is now \(text(of: theirs)), "
      + "your text has \(text(of: ours))"
  }

  private static func place(of conflict: PlistMerge.Conflict) -> String {
    conflict.path.isRoot ? "the root" : conflict.path.excerpt
  }

  private static func text(of value: PlistValue?) -> String {
    value?.textOnOneLine ?? "no value"
  }
}

extension PlistError.Location {
  fileprivate func renumbered(_ number: (Int) -> Int) -> Self {
    guard case .line(let line, let column) = self else { return self }
    return .line(number(line), column: column)
  }
}

/// The user's text editor.
struct EditorProgram {
  /// A command of the shell, which may have arguments.
  private let command: String

  /// The programs that are tried if the user has chosen none.
  private static let usual = ["editor", "vi", "nano"]

  /// The editor that the environment names, or else one of the usual ones.
  init() throws(CommandFailure) {
    let chosen = ["VISUAL", "EDITOR"].lazy.compactMap { Environment.value(of: $0) }
      .first { !$0.isEmpty }
    guard let command = chosen ?? Self.usual.first(where: { Environment.path(of: $0) != nil })
    else { throw CommandFailure("no editor found; set VISUAL or EDITOR to its command") }
    self.command = command
  }

  /// Runs the editor until it ends. Interrupts from the terminal do not end this process.
  ///
  /// - Throws: An error if the editor failed.
  func edit(_ path: String) throws(CommandFailure) {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in Self.interrupts { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let actions = Self.interrupts.map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, action) in actions { signal(number, action) } }

    // A shell that waited for the editor would be ended by an interrupt. The command may begin with
    // variables.
    let words = ["sh", "-c", "exec /usr/bin/env \(command) \"$@\"", "sh", path]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let error = posix_spawn(
      &process, "/bin/sh", nil, &attributes, &arguments, larder_whole_environment())
    guard error == 0 else {
      throw CommandFailure("/bin/sh cannot be run: \(String(cString: strerror(error)))")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else {
      let signal = status & 0x7F
      let end = signal == 0 ? "with status \(status >> 8 & 0xFF)" : "by signal \(signal)"
      throw CommandFailure("the editor \(command) ended \(end)")
    }
  }

  private static let interrupts = [SIGINT, SIGQUIT]
}

/// The check of a text that a person edits against a manifest.
struct TextCheck {
  private let checker: ManifestChecker
  private let form: TextForm
  private let key: String?
  private let options: ManifestChecker.Options

  /// - Parameter key: The key whose value the text is; nil for a whole property list.
  init(_ manifest: PreferencesManifest, ofKey key: String?, in form: TextForm) {
    (checker, self.form, self.key) = (ManifestChecker(manifest), form, key)
    options = form.keepsTypes ? .init() : .init(for: form.format)
  }

  /// Checks only the changes. Errors that existed before and are unchanged are accepted, and so is
  /// a malformed text, which has other errors.
  ///
  /// - Returns: The findings that are not errors.
  /// - Throws: The errors.
  func warnings(
    about text: Data, since original: Data
  ) throws(RefusedValues) -> [ManifestFinding] {
    guard let old = try? rooted(form.value(of: original)),
      let new = try? rooted(form.value(of: text))
    else { return [] }
    let present = Set(checker.findings(in: old, options: options))
    let findings = checker.findings(in: new, options: options).filter {
      !present.contains($0) || old[$0.keyPath] != new[$0.keyPath]
    }
    let errors = findings.filter { $0.severity == .error }
    guard errors.isEmpty else {
      let document = form.document(of: text)
      throw RefusedValues(
        findings: errors.map { finding in
          let path = finding.keyPath.components.dropFirst(key == nil ? 0 : 1)
          return (document?.lines?.line(at: path, in: document?.value ?? [:]), finding)
        })
    }
    return findings.filter { $0.severity == .warning }
  }

  private func rooted(_ value: PlistValue) -> PlistValue {
    key.map { .dictionary([$0: value]) } ?? value
  }
}

/// Values in a text that the manifest does not allow, with their lines.
struct RefusedValues: Error {
  let findings: [(line: Int?, finding: ManifestFinding)]

  /// - Parameter number: Maps a line number to the one to print.
  func texts(_ number: (Int) -> Int) -> [String] {
    findings.map { line, finding in
      "\(line.map { "line \(number($0)): " } ?? "")\(finding)"
    }
  }
}
