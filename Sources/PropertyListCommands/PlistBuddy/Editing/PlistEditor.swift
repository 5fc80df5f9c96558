internal import PropertyList

/// A property list while commands change it.
struct PlistEditor {
  /// The value as it is now.
  var root: PlistValue
  /// The keys and indices of the current entry.
  var current: [String] = []
  /// What the commands print and report.
  let transcript: Transcript
  let printing: Printing

  /// How values are printed.
  struct Printing: Sendable {
    /// Whether as XML.
    var asXML: Bool
    /// Whether to a terminal, which must not get control characters.
    var toTerminal: Bool
  }

  /// What a command asks for that is not the editor's to do.
  enum Request: Sendable {
    case save, revert, exit
  }

  init(_ root: PlistValue, printing: Printing, transcript: Transcript) {
    self.root = root
    self.printing = printing
    self.transcript = transcript
  }

  /// Does a command, or reports why it cannot.
  ///
  /// - Returns: What else is to be done.
  mutating func perform(_ line: String) -> Request? {
    do throws(EditFailure) {
      let words = try CommandWord.split(line)
      guard let name = words.first?.text else { return nil }
      let command = try EditCommand.named(name)
      let arguments = words.dropFirst()
      guard command.count.contains(arguments.count) else {
        throw EditFailure("\(command.name): Expected \(command.synopsis)")
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

  /// Goes back to a value.
  mutating func revert(to value: PlistValue) {
    root = value
    current = []
  }

  /// The entry that a word names.
  func entry(_ word: CommandWord?) -> PlistEntry { PlistEntry(word, from: current) }

  /// The value of an entry.
  func value(of entry: PlistEntry, for command: String) throws(EditFailure) -> PlistValue {
    guard let value = root[entry.path] else { throw EditFailure(command, entry, .missing) }
    return value
  }

  /// Makes a change at an entry.
  mutating func change(
    _ entry: PlistEntry, for command: String,
    _ body: (inout PlistValue, [String]) throws(EntryProblem) -> Void
  ) throws(EditFailure) {
    do throws(EntryProblem) {
      try body(&root, entry.components)
    } catch {
      throw EditFailure(command, entry, error)
    }
  }
}
