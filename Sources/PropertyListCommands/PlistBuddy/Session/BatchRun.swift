internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// Runs all commands of a command line on one version of a file, which is written once, after the
/// last.
///
/// The file gets the state at the end. A state at a `Save` is what `Revert` goes back to.
struct BatchRun {
  private let file: EditedFile
  private var document: EditedDocument
  private var editor: PlistEditor
  private var saved: PlistValue
  /// The new contents of the file; nil to leave it alone.
  private var data: Data?
  private var printedWarnings: Set<String> = []

  /// Runs commands on a file, and reports failures in the session. If one of them does not parse,
  /// none runs.
  static func run(
    _ lines: [String], on path: String, followingLinks: Bool, printing: PlistEditor.Printing,
    in session: Session
  ) throws {
    let commands = try parse(lines)
    // If no command changes anything, the commands never run again, and their output can be
    // forwarded.
    let mayChange = commands.contains { $0.mayChangeFile }
    if followingLinks, let special = SpecialFile(path) {
      guard !mayChange else { throw special.refusal }
      return try print(path, commands, printing: printing, in: session)
    }
    let file = try EditedFile(path, followingLinks: followingLinks)
    var transcript = Transcript(forwardingTo: mayChange ? nil : session)
    func perform(on contents: FileContents?) throws(PrintedFailure) -> Data? {
      if mayChange { transcript = Transcript(forwardingTo: nil) }
      if contents == nil { transcript.print(file.creationNotice) }
      var run = BatchRun(
        file: file, document: try file.document(in: contents),
        printing: printing, transcript: transcript)
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
    try result.get()
  }

  /// Runs commands that change nothing on the contents of a pipe, a device or a descriptor.
  private static func print(
    _ path: String, _ commands: [EditCommand.Action], printing: PlistEditor.Printing,
    in session: Session
  ) throws {
    let value = try session.withProgress("reading \(path)") {
      let data = try AtomicFile.read(path, limit: PlistLimits().maximumSize)
      return try EditedFile.parse(data, of: path).value
    }
    let transcript = Transcript(forwardingTo: session)
    var editor = PlistEditor(value, printing: printing, transcript: transcript)
    for command in commands {
      if case .revert = editor.perform(command) {
        transcript.print("Reverting to last saved state...\n")
        editor.reset(to: value)
      }
    }
    transcript.flush()
  }

  /// Parses commands; the error says which one does not parse.
  private static func parse(_ lines: [String]) throws -> [EditCommand.Action] {
    var commands: [EditCommand.Action] = []
    for line in lines {
      do {
        commands.append(try EditCommand.parse(line))
      } catch let failure as PrintedFailure where lines.count > 1 {
        throw PrintedFailure.syntax(
          failure.notice,
          "no command was run, because command \(commands.count + 1) of \(lines.count) is malformed: "
            + failure.explanation)
      }
    }
    return commands
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

  private mutating func perform(_ commands: [EditCommand.Action]) {
    for command in commands {
      switch editor.perform(command) {
      case .save:
        editor.transcript.print("Saving...\n")
        save(always: true)
      case .revert:
        editor.transcript.print("Reverting to last saved state...\n")
        editor.reset(to: saved)
      case .exit, nil:
        // Apple's runs the commands after Exit and saves all the same.
        break
      }
    }
    save(always: false)
  }

  /// Saves changes. A file that does not exist is created if a command has changed anything, or
  /// always.
  ///
  /// - Parameter always: Whether a file without changes is written in the usual layout as well.
  private mutating func save(always: Bool) {
    let isNew = document.contents == nil
    guard always || editor.root != saved || isNew && editor.isEdited else { return }
    do throws(CommandFailure) {
      let output = try file.output(of: editor.root, like: document)
      saved = editor.root
      if output.data == document.contents { return }
      let warnings = document.writingWarnings + output.warnings
      data = output.data
      document.contents = output.data
      for warning in warnings where printedWarnings.insert(warning).inserted {
        editor.transcript.note("\(file.path): warning: \(warning)")
      }
    } catch {
      editor.transcript.report(error)
    }
  }
}
