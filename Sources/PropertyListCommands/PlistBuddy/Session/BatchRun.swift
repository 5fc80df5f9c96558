internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// Commands that are done one after the other on one state of a file, which is written once at the end.
///
/// What `Save` and the end of the commands find changed is what the file shall hold; `Exit` leaves out
/// the latter.
struct BatchRun {
  private let file: EditedFile
  private let document: EditedDocument
  private var editor: PlistEditor
  private var saved: PlistValue
  /// What the file shall hold; nil to leave it.
  private var data: Data?

  /// Does commands on a file, and reports in the session what fails.
  static func run(
    _ commands: [String], on file: EditedFile, printing: PlistEditor.Printing, in session: Session
  ) {
    // Nothing but changes can make it necessary to do the commands again.
    let mayChange = commands.contains { line in
      guard let name = try? CommandWord.split(line).first else { return false }
      return (try? EditCommand.named(name.text))?.changes == true
    }
    var transcript = Transcript(passingTo: mayChange ? nil : session)
    func perform(on contents: FileContents?) throws(EditFailure) -> Data? {
      if mayChange { transcript = Transcript(passingTo: nil) }
      if contents == nil { transcript.note(file.missing) }
      var run = BatchRun(
        file: file, document: try file.document(in: contents), printing: printing,
        transcript: transcript)
      run.perform(commands)
      return run.data
    }
    let result = session.during("editing \(file.path)") {
      Result {
        let contents = try file.read()
        guard let data = try perform(on: contents) else { return }
        _ = try file.replace(contents?.version, with: data, remake: perform)
      }
    }
    transcript.replay(in: session)
    switch result {
    case .success: break
    case .failure(let failure as EditFailure): session.fail(["\(failure)"])
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
        editor.revert(to: saved)
      case .exit:
        if editor.root != saved { editor.transcript.note(file.lost) }
        return
      case nil:
        break
      }
    }
    save()
  }

  private mutating func save() {
    guard editor.root != saved else { return }
    do throws(EditFailure) {
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
