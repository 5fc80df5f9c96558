internal import CommandLineInterface
internal import FileStorage
internal import PropertyList

/// Commands that come one by one from a person, or from standard input, until it ends.
struct InteractiveRun {
  private let file: EditedFile
  private var editor: PlistEditor
  private var document: EditedDocument
  /// What the file held when it was read or written last; nil for no file.
  private var version: FileVersion?

  /// Does the commands of standard input on a file, and reports in the session what fails.
  static func run(on file: EditedFile, printing: PlistEditor.Printing, in session: Session) {
    let transcript = Transcript(passingTo: session)
    do {
      var run = try session.during("reading \(file.path)") {
        try InteractiveRun(file, printing: printing, transcript: transcript)
      }
      run.perform()
    } catch let failure as EditFailure {
      transcript.fail("\(failure)")
    } catch {
      session.report("\(error)", about: file.path)
    }
    transcript.flush()
  }

  private init(
    _ file: EditedFile, printing: PlistEditor.Printing, transcript: Transcript
  ) throws {
    self.file = file
    let contents = try file.read()
    document = try file.document(in: contents)
    version = contents?.version
    editor = PlistEditor(document.value, printing: printing, transcript: transcript)
    if contents == nil { transcript.note(file.missing) }
  }

  private var isChanged: Bool { editor.root != document.value }

  private mutating func perform() {
    var lines = LineEditor()
    while true {
      editor.transcript.flush()
      switch lines.next(prompt: "Command: ") {
      case .line(let line):
        switch editor.perform(line) {
        case .save: save()
        case .revert: revert()
        case .exit:
          if isChanged { editor.transcript.note(file.lost) }
          return
        case nil: break
        }
      case .unusable(let problem):
        editor.transcript.fail(problem)
      case .end:
        if isChanged { editor.transcript.fail(file.lost) }
        return
      }
    }
  }

  private mutating func save() {
    editor.transcript.print("Saving...\n")
    guard isChanged else { return }
    do {
      let data = try file.bytes(of: editor.root, like: document)
      version = try file.replace(version, with: data) { _ throws(EditFailure) in
        throw EditFailure(
          "\(file.path): another program has changed the file; Revert reads it anew")
      }
      for warning in document.warnings {
        editor.transcript.note("\(file.path): warning: \(warning)")
      }
      document.warnings = []
      document.value = editor.root
    } catch {
      report(error)
    }
  }

  private mutating func revert() {
    editor.transcript.print("Reverting to last saved state...\n")
    do {
      let contents = try file.read()
      document = try file.document(in: contents)
      version = contents?.version
      editor.revert(to: document.value)
    } catch {
      report(error)
    }
  }

  private func report(_ error: any Error) {
    editor.transcript.fail(error is EditFailure ? "\(error)" : "\(file.path): \(error)")
  }
}
