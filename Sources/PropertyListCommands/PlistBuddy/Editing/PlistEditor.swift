internal import CommandLineInterface
package import PropertyList

/// A property list that commands edit.
package struct PlistEditor {
  package var root: PlistValue
  /// The path of the working container, at which entries without a leading colon start.
  var current = PlistKeyPath()
  /// Whether a command has changed the value, even if back to what it was.
  private(set) var isEdited = false
  /// The output and errors of the commands.
  let transcript: Transcript
  let printing: Printing

  package struct Printing: Sendable {
    package var asXML: Bool
    /// Whether output goes to a terminal, which must not receive control characters.
    package var toTerminal: Bool

    package init(asXML: Bool, toTerminal: Bool) {
      (self.asXML, self.toTerminal) = (asXML, toTerminal)
    }
  }

  /// A command that is up to the caller.
  package enum Request: Sendable {
    case save, revert, exit
  }

  package init(_ root: PlistValue, printing: Printing, transcript: Transcript) {
    (self.root, self.printing, self.transcript) = (root, printing, transcript)
  }

  /// Parses and runs a command, or reports why it fails; returns a request for the caller.
  package mutating func perform(_ line: String) -> Request? {
    do {
      return perform(try EditAction(parsing: line))
    } catch {
      transcript.report(error)
      return nil
    }
  }

  /// Runs a command, or reports why it fails; returns a request for the caller. The name of one of
  /// several commands is printed after a failure that does not name the entry.
  mutating func perform(_ action: EditAction, named name: BatchRun.CommandName? = nil) -> Request? {
    do {
      switch action {
      case .request(let request): return request
      case .look(let body): try body(&self)
      case .change(let body):
        try body(&self)
        isEdited = true
      }
    } catch {
      transcript.report(error)
      if let name, !"\(error)".contains("\":") { transcript.note("PlistBuddy: \(name) failed") }
    }
    return nil
  }

  /// Replaces the edited value with one without edits, and makes the root the working container.
  package mutating func reset(to value: PlistValue) {
    root = value
    current = PlistKeyPath()
    isEdited = false
  }

  /// The entry of a word, which need not exist; nil is the working container.
  func entry(_ word: CommandWord?) -> PlistEntry { PlistEntry(word, from: current) }

  /// The entry of a word and its value; nil is the working container.
  func existingEntry(
    _ word: CommandWord?, for command: String
  ) throws(CommandFailure) -> (entry: PlistEntry, value: PlistValue) {
    let entry = entry(word).existing(in: root)
    guard let value = root[entry.path] else {
      throw CommandFailure(command, entry, .edit(.missing))
    }
    return (entry, value)
  }

  mutating func insert(
    _ value: PlistValue, at entry: PlistEntry, for command: String
  ) throws(CommandFailure) {
    let place = try edit(entry, for: command) { (root, path) throws(EntryError) in
      try root.insert(value, atEntry: path)
    }
    current.moveElements(from: place, by: 1, in: root)
  }

  mutating func replace(
    _ entry: PlistEntry, with value: PlistValue, for command: String
  ) throws(CommandFailure) {
    try edit(entry, for: command) { (root, path) throws(EntryError) in
      try root.replace(atEntry: path, with: value)
    }
  }

  /// Removes the value of an entry. If the working container was in it, the root becomes the
  /// working container.
  mutating func remove(_ entry: PlistEntry, for command: String) throws(CommandFailure) {
    try edit(entry, for: command) { (root, path) throws(EntryError) in
      try root.remove(atEntry: path)
    }
    if current.components.starts(with: entry.path.components) {
      transcript.print("Working Container has become Invalid.  Setting to :\n")
      current = PlistKeyPath()
    } else {
      current.moveElements(from: entry.path, by: -1, in: root)
    }
  }

  private mutating func edit<Result>(
    _ entry: PlistEntry, for command: String,
    _ body: (inout PlistValue, PlistKeyPath) throws(EntryError) -> Result
  ) throws(CommandFailure) -> Result {
    do throws(EntryError) {
      return try body(&root, entry.path)
    } catch {
      throw CommandFailure(command, entry, error)
    }
  }
}

extension PlistKeyPath {
  /// Follows a container whose index changes because an element at a place before it was inserted
  /// or removed.
  fileprivate mutating func moveElements(
    from place: PlistKeyPath, by step: Int, in root: PlistValue
  ) {
    let depth = place.components.count - 1
    guard depth >= 0, components.count > depth,
      components.prefix(depth).elementsEqual(place.components.prefix(depth)),
      case .array? = root[PlistKeyPath(components: Array(components.prefix(depth)))],
      let index = Int(components[depth]), let moved = Int(place.components[depth]), index >= moved
    else { return }
    var components = components
    components[depth] = String(index + step)
    self = PlistKeyPath(components: components)
  }
}
