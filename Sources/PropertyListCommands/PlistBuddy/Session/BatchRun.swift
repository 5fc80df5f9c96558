internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// Runs all commands of a command line on one version of a file, which is written once, after the
/// last.
///
/// The file gets the state at the last `Save` or at the end; after `Exit`, the state at the last
/// `Save`.
struct BatchRun {
  private let file: EditedFile
  private let document: EditedDocument
  private var editor: PlistEditor
  private var saved: PlistValue
  /// The new contents of the file; nil to leave it alone.
  private var data: Data?

  /// Runs commands on a file, and reports failures in the session.
  static func run(
    _ commands: [String], on file: EditedFile, printing: PlistEditor.Printing, in session: Session
  ) {
    // If no command changes anything, the commands never run again, and their output can be
    // forwarded.
    let mayChange = commands.contains { line in
      guard let name = try? CommandWord.split(line).first else { return false }
      return (try? EditCommand.named(name.text))?.isMutating == true
    }
    var transcript = Transcript(forwardingTo: mayChange ? nil : session)
    func perform(on contents: FileContents?) throws(CommandFailure) -> Data? {
      if mayChange { transcript = Transcript(forwardingTo: nil) }
      if contents == nil { transcript.note(file.creationNotice) }
      var run = BatchRun(
        file: file, document: try file.document(in: contents), printing: printing,
        transcript: transcript)
      run.perform(commands)
      return run.data
    }
    let result = session.withProgress("editing \(file.path)") {
      Result {
        let contents = try file.read()
        guard let data = try perform(on: contents) else { return }
        _ = try file.replace(contents?.version, with: data, remake: perform)
      }
    }
    transcript.replay(in: session)
    switch result {
    case .success: break
    case .failure(let failure as CommandFailure): session.fail(failure.lines)
    case .failure(let error): session.report("\(error)", about: file.path)
    }
  }

  private init(
    file: EditedFile, document: EditedDocument, printing: PlistEditor.Printing,
    transcript: Transcript
  ) {
    self.file = file
    self.document = document
    editor = PlistEditor(document.value, printing: printing, transcript: transcript)
    saved = document.value
  }

  private mutating func perform(_ commands: [String]) {
    for command in commands {
      switch editor.perform(command) {
      case .save:
        editor.transcript.print("Saving...\n")
        save()
      case .revert:
        editor.transcript.print("Reverting to last saved state...\n")
        editor.reset(to: saved)
      case .exit:
        if editor.root != saved { editor.transcript.note(file.discardedChangesNotice) }
        return
      case nil:
        break
      }
    }
    save()
  }

  private mutating func save() {
    guard editor.root != saved else { return }
    do throws(CommandFailure) {
      let isFirst = data == nil
      data = try file.bytes(of: editor.root, like: document)
      saved = editor.root
      guard isFirst else { return }
      for warning in document.warnings {
        editor.transcript.note("\(file.path): warning: \(warning)")
      }
    } catch {
      editor.transcript.fail("\(error)")
    }
  }
}
