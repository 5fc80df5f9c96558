internal import CommandLineInterface
internal import FileStorage
internal import PropertyList

/// Runs commands from the terminal or standard input, one by one, until the input ends.
struct InteractiveRun {
  private let file: EditedFile
  private var editor: PlistEditor
  private var document: EditedFile.Document
  /// The version of the file that was last read or written; nil for no file.
  private var version: FileVersion?

  /// Runs the commands of standard input on a file, and reports failures in the session.
  static func run(
    on path: String, followingLinks: Bool, options: PlistReadOptions,
    printing: PlistEditor.Printing, in session: Session
  ) throws {
    let file = try EditedFile(path, followingLinks: followingLinks, options: options)
    let transcript = Transcript(forwardingTo: session)
    var run = try session.withProgress("reading \(file.path)") {
      try InteractiveRun(file, printing: printing, transcript: transcript)
    }
    run.perform()
    transcript.flush()
  }

  private init(
    _ file: EditedFile, printing: PlistEditor.Printing, transcript: Transcript
  ) throws(PrintedFailure) {
    self.file = file
    let contents = try file.read()
    document = try file.document(in: contents)
    version = contents?.version
    editor = PlistEditor(document.value, printing: printing, transcript: transcript)
    if contents == nil { transcript.print(file.creationNotice) }
    if let envelope = document.envelope { transcript.note("\(file.path): note: \(envelope)") }
  }

  private var isChanged: Bool { editor.root != document.value || version == nil && editor.isEdited }

  private mutating func perform() {
    var lines = LineEditor()
    while true {
      editor.transcript.flush()
      switch lines.next(prompt: "Command: ") {
      case .line(let line):
        switch line.allSatisfy(\.isWhitespace) ? nil : editor.perform(line) {
        case .save: save()
        case .revert: revert()
        case .exit:
          if isChanged { editor.transcript.note(file.discardedChangesNotice) }
          return
        case nil: break
        }
      case .unusable(let problem): editor.transcript.report(problem)
      case .end:
        if isChanged { editor.transcript.fail(file.discardedChangesNotice) }
        return
      }
    }
  }

  private mutating func save() {
    editor.transcript.print("Saving...\n")
    do {
      let output = try file.output(of: editor.root, like: document)
      if version != nil, output.data == document.contents { return document.value = editor.root }
      version = try file.replace(version, with: output.data) { _ throws(CommandFailure) in
        throw CommandFailure(
          "\(file.path): another program has changed the file; Revert discards your changes")
      }
      for warning in document.writingWarnings + output.warnings {
        editor.transcript.note("\(file.path): warning: \(warning)")
      }
      document.warnings = []
      document.contents = output.data
      document.value = editor.root
    } catch {
      report(error)
    }
  }

  private mutating func revert() {
    editor.transcript.print("Reverting to last saved state...\n")
    do throws(PrintedFailure) {
      let contents = try file.read()
      document = try file.document(in: contents)
      version = contents?.version
      editor.reset(to: document.value)
      if contents == nil { editor.transcript.print(file.creationNotice) }
    } catch {
      editor.transcript.report(error)
    }
  }

  private func report(_ error: any Error) {
    editor.transcript.report(
      error is FileSystemError ? CommandFailure("\(file.path): \(error)") : error)
  }
}
