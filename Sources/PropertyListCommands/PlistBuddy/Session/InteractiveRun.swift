internal import CommandLineInterface
internal import FileStorage
internal import PropertyList

/// Runs commands from the terminal or standard input, one by one, until the input ends.
struct InteractiveRun {
  private let file: EditedFile
  private var editor: PlistEditor
  private var document: EditedDocument
  /// The version of the file that was last read or written; nil for no file.
  private var version: FileVersion?

  /// Runs the commands of standard input on a file, and reports failures in the session.
  static func run(on file: EditedFile, printing: PlistEditor.Printing, in session: Session) {
    let transcript = Transcript(forwardingTo: session)
    do {
      var run = try session.withProgress("reading \(file.path)") {
        try InteractiveRun(file, printing: printing, transcript: transcript)
      }
      run.perform()
    } catch let failure as CommandFailure {
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
    if contents == nil { transcript.note(file.creationNotice) }
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
          if isChanged { editor.transcript.note(file.discardedChangesNotice) }
          return
        case nil: break
        }
      case .unusable(let problem):
        editor.transcript.fail(problem)
      case .end:
        if isChanged { editor.transcript.fail(file.discardedChangesNotice) }
        return
      }
    }
  }

  private mutating func save() {
    editor.transcript.print("Saving...\n")
    guard isChanged else { return }
    do {
      let data = try file.bytes(of: editor.root, like: document)
      version = try file.replace(version, with: data) { _ throws(CommandFailure) in
        throw CommandFailure(
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
      editor.reset(to: document.value)
    } catch {
      report(error)
    }
  }

  private func report(_ error: any Error) {
    editor.transcript.fail(error is CommandFailure ? "\(error)" : "\(file.path): \(error)")
  }
}
