internal import CommandLineInterface
package import PropertyList

/// A property list that commands edit.
package struct PlistEditor {
  /// The edited value.
  package var root: PlistValue
  /// The path of the current entry.
  var current = PlistKeyPath()
  /// The output and errors of the commands.
  let transcript: Transcript
  let printing: Printing

  /// The way in which values are printed.
  package struct Printing: Sendable {
    /// Whether values are printed as XML.
    package var asXML: Bool
    /// Whether output goes to a terminal, which must not receive control characters.
    package var toTerminal: Bool

    package init(asXML: Bool, toTerminal: Bool) {
      self.asXML = asXML
      self.toTerminal = toTerminal
    }
  }

  /// A command that is up to the caller.
  package enum Request: Sendable {
    case save, revert, exit
  }

  package init(_ root: PlistValue, printing: Printing, transcript: Transcript) {
    self.root = root
    self.printing = printing
    self.transcript = transcript
  }

  /// Runs a command, or reports why it fails.
  ///
  /// - Returns: The request, if the command is up to the caller.
  package mutating func perform(_ line: String) -> Request? {
    do {
      let words = try CommandWord.split(line)
      guard let name = words.first?.text else { return nil }
      let command = try EditCommand.named(name)
      let arguments = words.dropFirst()
      guard command.count.contains(arguments.count) else {
        throw CommandFailure("\(command.name): Expected \(command.synopsis)")
      }
      switch command.action {
      case .look(let body), .change(let body): try body(&self, arguments)
      case .request(let request): return request
      }
    } catch {
      transcript.fail("\(error)")
    }
    return nil
  }

  /// Replaces the edited value, and makes the root the current entry.
  package mutating func reset(to value: PlistValue) {
    root = value
    current = PlistKeyPath()
  }

  /// The entry of a word; nil is the current entry.
  func entry(_ word: CommandWord?) -> PlistEntry { PlistEntry(word, from: current) }

  /// The value of an entry.
  func value(of entry: PlistEntry, for command: String) throws(CommandFailure) -> PlistValue {
    guard let value = root[entry.path] else {
      throw CommandFailure(command, entry, .edit(.missing))
    }
    return value
  }

  /// Inserts a value at an entry.
  mutating func insert(
    _ value: PlistValue, at entry: PlistEntry, for command: String
  ) throws(CommandFailure) {
    try edit(entry, for: command) { (root, path) throws(EntryError) in
      try root.insert(value, atEntry: path)
    }
  }

  /// Replaces the value of an entry that exists.
  mutating func replace(
    _ entry: PlistEntry, with value: PlistValue, for command: String
  ) throws(CommandFailure) {
    try edit(entry, for: command) { (root, path) throws(EntryError) in
      try root.replace(atEntry: path, with: value)
    }
  }

  /// Removes the value of an entry.
  mutating func remove(_ entry: PlistEntry, for command: String) throws(CommandFailure) {
    try edit(entry, for: command) { (root, path) throws(EntryError) in
      try root.remove(atEntry: path)
    }
  }

  private mutating func edit(
    _ entry: PlistEntry, for command: String,
    _ body: (inout PlistValue, PlistKeyPath) throws(EntryError) -> Void
  ) throws(CommandFailure) {
    do throws(EntryError) {
      try body(&root, entry.path)
    } catch {
      throw CommandFailure(command, entry, error)
    }
  }
}
