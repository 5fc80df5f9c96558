internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// Runs all commands of a command line on one version of a file, which is written once, after the
/// last command. The file gets the final state; `Revert` returns to the state at the last `Save`.
struct BatchRun {
  private let file: EditedFile
  private var document: EditedFile.Document
  private var editor: PlistEditor
  private var saved: PlistValue
  /// The new contents of the file; nil to leave it alone.
  private var data: Data?
  private var printedWarnings: Set<String> = []

  /// Runs commands on a file, and reports failures in the session. If one of them cannot be parsed,
  /// none is run.
  static func run(
    _ lines: [String], on path: String, followingLinks: Bool, options: PlistReadOptions,
    printing: PlistEditor.Printing, in session: Session
  ) throws {
    let commands = try parse(lines)
    // If no command changes anything, the commands never run again, and their output can be
    // forwarded.
    let mayChange = commands.contains { $0.action.mayChangeFile }
    if followingLinks, let special = SpecialFile(path) {
      guard !mayChange else { throw special.refusal }
      return try print(path, commands, options: options, printing: printing, in: session)
    }
    let file = try EditedFile(path, followingLinks: followingLinks, options: options)
    var transcript = Transcript(forwardingTo: mayChange ? nil : session)
    func perform(on contents: FileContents?) throws(PrintedFailure) -> Data? {
      if mayChange { transcript = Transcript(forwardingTo: nil) }
      if contents == nil { transcript.print(file.creationNotice) }
      let document = try file.document(in: contents)
      if let envelope = document.envelope { transcript.note("\(path): note: \(envelope)") }
      var run = BatchRun(file: file, document: document, printing: printing, transcript: transcript)
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
    _ path: String, _ commands: [Command], options: PlistReadOptions,
    printing: PlistEditor.Printing, in session: Session
  ) throws {
    let input = try session.withProgress("reading \(path)") {
      let data = try AtomicFile.read(path, limit: PlistLimits().maximumSize)
      return try EditedFile.parse(data, of: path, options: options)
    }
    session.note(input.envelope, about: path)
    let value = input.document.value
    let transcript = Transcript(forwardingTo: session)
    var editor = PlistEditor(value, printing: printing, transcript: transcript)
    for command in commands {
      if case .revert = editor.perform(command.action, named: command.name) {
        transcript.print("Reverting to last saved state...\n")
        editor.reset(to: value)
      }
    }
    transcript.flush()
  }

  private struct Command {
    let action: EditAction
    let name: CommandName?
  }

  /// The number of a command among several, its name and its entry, but not its value.
  struct CommandName: CustomStringConvertible {
    private let place: String
    private let words: [String]

    init(_ number: Int, of lines: [String]) {
      place = "command \(number) of \(lines.count)"
      let words = try? CommandWord.split(lines[number - 1])
      self.words = (words ?? []).prefix(2).map(\.text)
    }

    var description: String { words.isEmpty ? place : "\(place) (\(words.joined(separator: " ")))" }
  }

  private static func parse(_ lines: [String]) throws -> [Command] {
    try lines.enumerated().map { index, line in
      let name = lines.count > 1 ? CommandName(index + 1, of: lines) : nil
      do {
        return Command(action: try EditAction(parsing: line), name: name)
      } catch let failure as PrintedFailure {
        guard let name else { throw failure }
        throw PrintedFailure.syntax(
          failure.notice,
          "no command was run, because \(name) is malformed: \(failure.explanation)")
      }
    }
  }

  private init(
    file: EditedFile, document: EditedFile.Document, printing: PlistEditor.Printing,
    transcript: Transcript
  ) {
    (self.file, self.document) = (file, document)
    editor = PlistEditor(document.value, printing: printing, transcript: transcript)
    saved = document.value
  }

  private mutating func perform(_ commands: [Command]) {
    for command in commands {
      switch editor.perform(command.action, named: command.name) {
      case .save:
        editor.transcript.print("Saving...\n")
        save(always: true)
      case .revert:
        editor.transcript.print("Reverting to last saved state...\n")
        editor.reset(to: saved)
      case .exit, nil:
        // Apple's tool runs the commands after Exit and saves.
        break
      }
    }
    save(always: false)
  }

  /// Saves changes. A missing file is created if a command has changed anything, or always.
  ///
  /// - Parameter always: Whether even an unchanged file is written in the usual layout.
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
