internal import CLinuxFile
internal import FoundationEssentials

/// The table of a command-line tool: its verbs and options. Parsing, errors, help, the manual page
/// and shell completion are derived from it.
package struct CommandLineTool: Sendable {
  package var name: String
  package var summary: String
  package var version: String
  package var layout: Layout
  /// The options of every verb; in the verbatim layout they precede the verb.
  package var options: [Option]
  /// The verbs; a command line runs one of them. A tool that does one thing has one verb, with an
  /// empty name.
  package var verbs: [Verb]
  /// The name of the verb to run if the command line has none; nil if a verb is required.
  package var defaultVerb: String?
  /// Further paragraphs for the help and the manual page.
  var notes: [(title: String?, text: String)] {
    makeNotes().split(separator: "\n").map { line in
      let parts = line.split(separator: " | ", maxSplits: 1).map(String.init)
      return parts.count > 1 ? (parts[0], parts[1]) : (nil, parts[0])
    }
  }
  /// The notes as one text. Each line is a paragraph of the description or, after ` | `, one under that
  /// heading of the manual page.
  private let makeNotes: @Sendable () -> String
  /// Further parts of the help and the manual page, under headings.
  package var sections: [Section] { makeSections() }
  private let makeSections: @Sendable () -> [Section]
  /// The tools that the manual page refers to.
  package var related: [String]

  package init(
    name: String, summary: String, version: String = Release.version, layout: Layout = .mixed,
    options: [Option] = [], verbs: [Verb], defaultVerb: String? = nil,
    notes: @autoclosure @escaping @Sendable () -> String = "",
    sections: @autoclosure @escaping @Sendable () -> [Section] = [], related: [String] = []
  ) {
    (self.name, self.summary, self.version, self.layout) = (name, summary, version, layout)
    (self.options, self.verbs, self.defaultVerb, self.related) = (
      options, verbs, defaultVerb, related
    )
    (makeNotes, makeSections) = (notes, sections)
  }

  /// The name of an operand in messages that are about no particular verb.
  var operandName: String { verbs.lazy.map(\.operands.name).first { !$0.isEmpty } ?? "operand" }

  func verb(_ name: String) -> Verb? {
    guard layout == .verbatim else {
      return verbs.first { $0.name == name || $0.aliases.contains(name) }
    }
    return verbs.first { $0.hasName(name) }
  }

  /// The verbs that a command line can name.
  var namedVerbs: [Verb] { verbs.filter { !$0.name.isEmpty } }

  /// The options of all verbs, each once.
  var allOptions: [Option] {
    var all = options
    for option in verbs.flatMap(\.options) where !all.contains(option) { all.append(option) }
    return all
  }

  /// An order of the parts of a command line.
  package enum Layout: Sendable {
    /// A verb and its arguments, followed by options and operands in any order:
    /// `plutil -convert xml1 file -o path`.
    case mixed
    /// Options, a case-insensitive verb, and its operands, which are not interpreted even if they
    /// begin with a dash: `defaults -currentHost write domain key -5`.
    case verbatim
  }

  /// The code that runs a verb. It reports errors in the session, or throws a ``UsageError`` or a
  /// ``CommandFailure``.
  package typealias Action = @Sendable (Invocation, Session) throws -> Void

  package typealias Verb = Command<Action>

  /// A row of a table of commands.
  package struct Command<Body: Sendable>: Sendable {
    /// The word that selects the verb, with its dash if it has one: `-convert`.
    package var name: String
    package var aliases: [String]
    /// The arguments that follow the verb immediately, whatever they look like.
    package var arguments: [Argument]
    package var options: [Option]
    /// The options of the tool that the verb does not take.
    package var excludedOptions: [Option]
    package var operands: Operands
    /// The group of verbs that can be combined on a command line and run together, and the options
    /// that belong to each of them; nil for a verb that stands alone.
    package var combination: (group: String, options: [Option])?
    /// Whether all words after the verb, including requests for help, belong to another program.
    package var isProgram: Bool
    /// The exit status for a malformed command line with this verb.
    package var usageStatus: Int32
    /// What the verb does. The first line is a sentence without its period. Each other line is a
    /// paragraph for the help of this verb and the manual page, or an example: `$ command  # meaning`.
    private let text: String
    package var action: Body

    package init(
      _ name: String, aliases: [String] = [], arguments: [Argument] = [], options: [Option] = [],
      excludedOptions: [Option] = [], combination: (group: String, options: [Option])? = nil,
      operands: Operands, isProgram: Bool = false, usageStatus: Int32 = 1, _ text: String,
      action: Body
    ) {
      (self.name, self.aliases, self.arguments, self.options) = (name, aliases, arguments, options)
      (self.excludedOptions, self.combination) = (excludedOptions, combination)
      (self.operands, self.isProgram, self.usageStatus) = (operands, isProgram, usageStatus)
      (self.text, self.action) = (text, action)
    }

    private var lines: [Substring] { text.split(separator: "\n") }

    package var summary: String { String(lines[0]) }

    /// The further paragraphs.
    var details: [String] { lines.dropFirst().filter { !$0.hasPrefix("$ ") }.map(String.init) }

    package var examples: [Example] {
      lines.filter { $0.hasPrefix("$ ") }.map { line in
        let parts = line.dropFirst(2).split(separator: "  # ", maxSplits: 1).map(String.init)
        return Example(command: parts[0], meaning: parts.count > 1 ? parts[1] : "")
      }
    }

    /// Compares a word, ignoring case, with the name and the aliases.
    package func hasName(_ word: String) -> Bool {
      let word = word.lowercased()
      return name.lowercased() == word || aliases.contains(word)
    }

    /// The name with each form of the operands.
    package var forms: [String] { operands.forms.map { $0.isEmpty ? name : "\(name) \($0)" } }
  }

  /// A word that must follow a verb or an option, or one of a verb's operands.
  package struct Argument: Sendable, Hashable, ExpressibleByStringLiteral {
    package var name: String
    /// What the argument means, in a sentence without a full stop.
    package var summary: String
    /// The words that a shell offers.
    package var completion: Completion

    package init(_ name: String, _ summary: String = "", completion: Completion = .nothing) {
      (self.name, self.summary, self.completion) = (name, summary, completion)
    }

    /// The argument with its article, and the accepted words if they are few: `a format: xml1 or
    /// binary1`.
    var description: String {
      let article = name.first.map { "aeiou".contains($0) } ?? false ? "an" : "a"
      guard case .words(let words) = completion else { return "\(article) \(name)" }
      return "\(article) \(name): \(words.alternatives)"
    }

    package init(stringLiteral name: String) { self.init(name) }
  }

  /// The words that a shell offers to complete a command line.
  package enum Completion: Sendable, Hashable {
    case nothing
    case files
    case words([String])
    case terms([Term])
  }

  /// The completions of an operand.
  ///
  /// - Parameters:
  ///   - before: The options and operands before it, which may be wrong in any way.
  ///   - current: The beginning of the operand.
  package typealias OperandCompletion =
    @Sendable (_ before: Invocation, _ current: String) -> [Completion]

  /// An option that changes how a verb runs.
  package struct Option: Sendable, Hashable {
    /// The word, with its dash: `-o`.
    package var name: String
    package var argument: Argument?
    /// What the option does, in a sentence without a full stop.
    package var summary: String
    package var repeats: Bool

    /// - Parameter form: The name and, after a space, the argument: `-o path`.
    package init(
      _ form: String, _ summary: String, completion: Completion = .nothing, repeats: Bool = false
    ) {
      let words = form.utf8.split(separator: UInt8(ascii: " ")).map { String($0)! }
      name = words[0]
      argument = words.count > 1 ? Argument(words[1], completion: completion) : nil
      (self.summary, self.repeats) = (summary, repeats)
    }
  }

  /// The operands of a verb.
  package struct Operands: Sendable {
    /// The forms that they may have. In the mixed layout there is one, the name of one operand,
    /// such as `file`; in the verbatim layout each has the names of all: `domain [key]`.
    package var forms: [String]
    package var count: ClosedRange<Int>
    /// The options among the operands in the verbatim layout, and how many operands may precede one.
    package let options: [Option]
    private let positions: ClosedRange<Int>
    /// What the names in the forms mean.
    package var arguments: [Argument]
    package var completion: OperandCompletion

    package var name: String { forms[0] }

    /// Operands of this name, as many as the range allows, which are files.
    package init(_ name: String, count: ClosedRange<Int> = 0...(.max), arguments: [Argument] = []) {
      self.init([name], count: count, arguments: arguments) { _, _ in [.files] }
    }

    /// Operands of these forms, as many as the range allows.
    package init(
      _ forms: [String], count: ClosedRange<Int>, options: [Option] = [],
      optionsAfter positions: ClosedRange<Int> = 0...(.max), arguments: [Argument] = [],
      completion: @escaping OperandCompletion
    ) {
      (self.forms, self.count, self.options, self.positions) = (forms, count, options, positions)
      let terms = options.map { Argument(CommandLineTool.term(of: $0), $0.summary) }
      self.arguments = positions.upperBound == 0 ? terms + arguments : arguments + terms
      self.completion = completion
    }

    /// The options that may follow operands. After `--` a word is an operand.
    func options(after operands: [String]) -> [Option] {
      positions.contains(operands.count) && operands.last != "--" ? options : []
    }
  }

  package struct Example: Sendable, Hashable {
    package let command: String
    /// What the command line does, in a sentence without a full stop; empty if that is obvious.
    let meaning: String
  }

  /// A part of the help and the manual page: paragraphs, and a list of terms with their meanings.
  package struct Section: Sendable, Hashable {
    package var title: String
    package var paragraphs: [String]
    package var terms: [Term]
    /// Whether the help has the section, and not only the manual page.
    package var isInHelp: Bool

    /// - Parameter text: Each line is a paragraph or, around ` | `, a term, its meaning and an example.
    package init(_ title: String, isInHelp: Bool = true, _ text: String) {
      let lines = text.split(separator: "\n").map {
        $0.split(separator: " | ", maxSplits: 2).map(String.init)
      }
      (self.title, self.isInHelp) = (title, isInHelp)
      paragraphs = lines.filter { $0.count == 1 }.map { $0[0] }
      terms = lines.filter { $0.count > 1 }.map { parts in
        Term(parts[0], parts[1], example: parts.count > 2 ? parts[2] : nil)
      }
    }
  }

  /// A term in a list, with its meaning.
  package struct Term: Sendable, Hashable {
    package var term: String
    /// The meaning, in a sentence without a full stop.
    package var meaning: String
    package var example: String?

    package init(_ term: String, _ meaning: String, example: String? = nil) {
      (self.term, self.meaning, self.example) = (term, meaning, example)
    }
  }
}

extension CommandLineTool {
  /// Runs the tool with the process's command line and standard streams.
  ///
  /// - Returns: The exit status: 0, or another if anything failed.
  package func run() -> Int32 {
    // A tool holds whole documents one after the other. Each is returned to the kernel before the
    // next.
    larder_map_blocks_from_size(Self.leastMappedSize)
    let session = Session(tool: name)
    do {
      let words = try Self.words()
      do {
        switch try parse(words) {
        case .help(let verb): session.print(verb.flatMap(self.verb).map(help(of:)) ?? help)
        case .version: session.print("\(name) (Larder) \(version)\n")
        case .completion(let shell): session.print(completion(for: shell))
        case .candidates(let words): session.print(candidates(for: words).lines)
        case .manual: session.print(manual)
        case .invocation(let invocation): try invocation.verb.action(invocation, session)
        }
      } catch let error as UsageError {
        session.failureStatus = usageStatus(of: words)
        throw error
      }
    } catch let failure as CommandFailure {
      session.fail(failure.lines)
    } catch {
      session.report("\(error) (see \(name) \(layout == .verbatim ? Self.helpVerb : "-help"))")
    }
    return session.finish()
  }

  /// The minimum size in bytes of blocks of memory that are returned to the kernel when they are
  /// freed.
  private static let leastMappedSize: Int32 = 256 << 10

  /// The exit status for a malformed command line, which depends on its verb. Without a verb, it is
  /// the status that all verbs share, or 1 if they differ.
  private func usageStatus(of words: [String]) -> Int32 {
    let verb = words.prefix { $0 != "--" }.lazy.compactMap { self.verb($0) }.first
    if let verb { return verb.usageStatus }
    let statuses = Set(verbs.map(\.usageStatus))
    return statuses.count == 1 ? statuses.first! : 1
  }

  /// The command line without the program's name; throws for a word that is not UTF-8.
  private static func words() throws(UsageError) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let pointer = CommandLine.unsafeArgv[index] else { break }
      guard let word = String(validatingCString: pointer) else {
        throw UsageError(
          "argument \(index) is not UTF-8: \(String(cString: pointer).debugDescription); "
            + "use a link or standard input for a file with such a name")
      }
      words.append(word)
    }
    return words
  }
}
