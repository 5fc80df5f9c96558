internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc

/// Reads lines, each after a prompt on standard output; at a terminal with history and completion,
/// if libedit is installed. libedit is loaded at run time, so that the program neither links nor
/// requires it.
struct LineEditor {
  private let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  private var library: Library?
  private var reader = LineReader()

  init() {
    let terminal = Environment.value(of: "TERM") ?? ""
    guard isTerminal, !["", "dumb"].contains(terminal) else { return }
    library = Library()
    guard let library else { return }
    // Otherwise libedit treats each byte of a non-ASCII character as a character.
    let locale = setlocale(LC_CTYPE, "").map { String(cString: $0) }
    if [nil, "C", "POSIX"].contains(locale) { setlocale(LC_CTYPE, "C.UTF-8") }
    library.completion.pointee = { word, start, _ in LineEditor.complete(word, at: start) }
    // libedit prepares the terminal only after it has shown the prompt; an end of input that a
    // program sends before that would be lost.
    library.beforeInput.pointee = {
      Library()?.prepareTerminal(1)
      return 0
    }
  }

  mutating func next(prompt: String) -> InputLine {
    guard let library else {
      show(prompt)
      let line = reader.next()
      if isTerminal, case .end = line { show("\n") }
      return line
    }
    guard let text = library.readLine(prompt) else {
      show("\n")
      return .end
    }
    defer { free(text) }
    let bytes = UnsafeBufferPointer(start: text, count: strlen(text)).map(UInt8.init(bitPattern:))
    if !bytes.isEmpty { _ = library.remember(text) }
    return InputLine(bytes)
  }

  private func show(_ text: String) {
    // The loss of the terminal cannot be reported anywhere.
    try? Descriptor.standardOutput.writeAll(Data(text.utf8))
  }

  private typealias Text = UnsafeMutablePointer<CChar>
  private typealias Texts = UnsafeMutablePointer<Text?>
  private typealias Generator = @convention(c) (UnsafePointer<CChar>?, Int32) -> Text?
  private typealias Hook = @convention(c) () -> CInt
  private typealias Completion = @convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Texts?

  /// The functions and variables of libedit in use, with their names in GNU readline.
  private struct Library {
    /// `readline`
    let readLine: @convention(c) (UnsafePointer<CChar>) -> Text?
    /// `add_history`
    let remember: @convention(c) (UnsafePointer<CChar>) -> CInt
    /// `rl_attempted_completion_function`
    let completion: UnsafeMutablePointer<Completion?>
    /// `rl_attempted_completion_over`: 1 to disable the completion of file names.
    let completionIsOver: UnsafeMutablePointer<CInt>
    /// `rl_completion_matches`
    let matches: @convention(c) (UnsafePointer<CChar>, Generator) -> Texts?
    /// `rl_pre_input_hook`
    let beforeInput: UnsafeMutablePointer<Hook?>
    /// `rl_prep_terminal`
    let prepareTerminal: @convention(c) (CInt) -> Void

    /// Loads libedit unless it is already loaded; nil if it is not installed.
    init?() {
      guard let library = dlopen("libedit.so.2", RTLD_NOW) else { return nil }
      func symbol<Symbol>(_ name: String, as type: Symbol.Type = Symbol.self) -> Symbol? {
        // The types above are those that libedit's header declares.
        dlsym(library, name).map { unsafeBitCast($0, to: type) }
      }
      guard let readLine = symbol("readline", as: type(of: self.readLine)),
        let remember = symbol("add_history", as: type(of: self.remember)),
        let completion = symbol("rl_attempted_completion_function", as: type(of: self.completion)),
        let isOver = symbol("rl_attempted_completion_over", as: type(of: completionIsOver)),
        let matches = symbol("rl_completion_matches", as: type(of: self.matches)),
        let beforeInput = symbol("rl_pre_input_hook", as: type(of: self.beforeInput)),
        let prepare = symbol("rl_prep_terminal", as: type(of: prepareTerminal))
      else { return nil }
      (self.readLine, self.remember, self.completion) = (readLine, remember, completion)
      (completionIsOver, self.matches, self.beforeInput) = (isOver, matches, beforeInput)
      prepareTerminal = prepare
    }
  }

  /// Completes the first word of a line to the name of a command. Returns nil for other words,
  /// which libedit then completes to file names.
  private static func complete(_ word: UnsafePointer<CChar>?, at start: CInt) -> Texts? {
    guard start == 0, let word, let library = Library() else { return nil }
    library.completionIsOver.pointee = 1
    return library.matches(word) { word, index in
      guard let word else { return nil }
      let prefix = String(cString: word).lowercased()
      let names = PlistBuddyTool.commands.map(\.name).filter { $0.lowercased().hasPrefix(prefix) }
      // The index counts the matches that libedit has received so far.
      return names.indices.contains(Int(index)) ? strdup(names[Int(index)]) : nil
    }
  }
}

/// Reads standard input line by line, and keeps no more of a line in memory than its maximum
/// length.
private struct LineReader {
  private var buffer: [UInt8] = []
  private var position = 0

  mutating func next() -> InputLine {
    var line: [UInt8] = []
    while true {
      if position == buffer.count {
        guard fill() else { return line.isEmpty ? .end : InputLine(line) }
      }
      let rest = buffer[position...]
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      // One byte more than allowed is enough to reject the line.
      line += rest[..<(end ?? rest.endIndex)].prefix(InputLine.maximumLength + 1 - line.count)
      position = end.map { $0 + 1 } ?? rest.endIndex
      if end != nil { return InputLine(line) }
    }
  }

  /// Fills the buffer; false at the end of the input.
  private mutating func fill() -> Bool {
    buffer = Array(repeating: 0, count: 64 << 10)
    position = 0
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      buffer.removeLast(buffer.count - max(0, count))
      return count > 0
    }
  }
}

enum InputLine {
  case line(String)
  /// A line that is rejected.
  case unusable(PrintedFailure)
  case end

  /// The maximum number of bytes in a line.
  static let maximumLength = 1 << 20

  init(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes.prefix(Self.maximumLength + 1))
    if bytes.count > Self.maximumLength {
      self = .unusable(
        .syntax(
          "Parse Error: Line Too Long", "a line may be at most \(Self.maximumLength) bytes long"))
    } else if bytes.contains(0) {
      self = .unusable(.syntax("Parse Error: Invalid Text", "the line contains a NUL byte"))
    } else if let line = String(validating: bytes, as: UTF8.self) {
      self = .line(line)
    } else {
      self = .unusable(.syntax("Parse Error: Invalid Text", "the line is not UTF-8"))
    }
  }
}
