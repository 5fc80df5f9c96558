internal import FileStorage
package import FoundationEssentials
internal import Glibc
package import PropertyList
internal import Threading

/// One run of a tool: its standard streams and its exit status.
package final class Session {
  private let tool: String
  private var output: [UInt8] = []
  /// The number of bytes printed to standard output so far.
  package private(set) var printedSize = 0
  private var status: Int32 = 0
  private lazy var progress = Progress()

  private let hasColors = TerminalStyle.isShown

  package init(tool: String) {
    self.tool = tool
  }

  /// The number of bytes that are buffered before they are written.
  private static let bufferSize = 64 << 10

  /// Prints to standard output, through a buffer.
  package func print(_ text: String) {
    let before = output.count
    output += text.utf8
    printedSize += output.count - before
    if output.count >= Self.bufferSize { flush() }
  }

  /// Prints a text without control characters, in a style if standard output is a terminal.
  package func print(_ text: String, in style: TerminalStyle) {
    print(hasColors ? style.applied(to: text) : text)
  }

  /// Prints the line of a difference.
  package func print(_ difference: PlistDifference, isSecret: Bool = false) {
    let side = difference.side == .first ? "-" : "+"
    let text = isSecret ? "\(side) \(difference.path.excerpt): secret" : "\(difference)"
    print(text, in: difference.side == .first ? .removed : .added)
    print("\n")
  }

  /// Writes bytes to standard output, after the buffered text.
  package func write(_ data: Data) {
    flush()
    writeUnbuffered(data)
  }

  /// Prints an error about a file or, for nil, the tool, and makes the run fail.
  package func report(_ message: String, about file: String? = nil) {
    fail(["\(file ?? tool): \(message)"])
  }

  /// Runs a closure; nil after a report of its error.
  @discardableResult
  package func reporting<Result>(about file: String?, _ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      report("\(error)", about: file)
      return nil
    }
  }

  /// Prints the lines of an error to standard error unchanged, and makes the run fail.
  package func fail(_ lines: [String]) {
    status = failureStatus
    for line in lines { note(line) }
  }

  /// Prints a warning about a file or value or, for nil, the tool to standard error.
  package func warn(_ warning: some CustomStringConvertible, about file: String? = nil) {
    note("\(file ?? tool): warning: \(warning)")
  }

  package func warn(_ warnings: [some CustomStringConvertible], about file: String? = nil) {
    for warning in warnings { warn(warning, about: file) }
  }

  /// Prints a line to standard error, after the buffered output.
  package func note(_ line: String) {
    flush()
    progress?.hide()
    // An error of standard error cannot be reported anywhere.
    try? Descriptor.standardError.writeAll(Data((line.onOneLine + "\n").utf8))
  }

  /// Runs a closure, and shows on a terminal what it is doing if it takes more than two seconds.
  ///
  /// - Parameters:
  ///   - activity: The activity, such as `reading Info.plist`.
  ///   - waitsForInput: Whether the closure reads standard input. Nothing is shown if that is a
  ///     terminal, because the wait is for its user.
  package func withProgress<Result, Failure: Error>(
    _ activity: String, waitsForInput: Bool = false, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if !waitsForInput || isatty(STDIN_FILENO) == 0 { progress?.begin(activity.onOneLine) }
    defer { progress?.end() }
    return try body()
  }

  /// Changes the text shown during ``withProgress(_:waitsForInput:_:)``, such as the progress made.
  package func describeProgress(_ activity: @autoclosure () -> String) {
    if let progress { progress.describe(activity().onOneLine) }
  }

  /// Makes the run fail. The failure has been printed in another way.
  package func failSilently() { status = failureStatus }

  package var failureStatus: Int32 = 1

  /// Sets the exit status of a run without failures.
  package func succeed(with status: Int32) {
    if self.status == 0 { self.status = status }
  }

  /// Writes the buffered output and returns the exit status.
  package func finish() -> Int32 {
    flush()
    return status
  }

  private func flush() {
    guard !output.isEmpty else { return }
    let data = Data(output)
    output.removeAll(keepingCapacity: true)
    writeUnbuffered(data)
  }

  private func writeUnbuffered(_ data: Data) {
    progress?.hide()
    do throws(FileSystemError) {
      try Descriptor.standardOutput.writeAll(data)
    } catch {
      fail(["\(tool): standard output: \(error)"])
    }
  }
}

/// A failure that a command reports in its own words.
package struct CommandFailure: Error, CustomStringConvertible {
  package var lines: [String]

  package var description: String { lines.joined(separator: "\n") }
  package init(_ lines: String...) { self.init(lines) }
  package init(_ lines: [String]) { self.lines = lines }

  /// Runs a closure. An error becomes a failure with the same text, after a name if there is one.
  package static func wrapping<Result>(
    _ name: String? = nil, _ body: () throws -> Result
  ) throws(CommandFailure) -> Result {
    do { return try body() } catch {
      throw CommandFailure((name.map { $0 + ": " } ?? "") + "\(error)")
    }
  }
}

/// A command line that the tool does not accept.
package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }

  /// The error for an unexpected word of a kind, such as `format`.
  package init(unknown noun: String, _ word: String, expected names: [String]) {
    description =
      "unknown \(noun): \(word); expected \(names.alternatives)"
      + Suggestion.text(for: word, among: names)
  }
}

extension [String] {
  /// The words as alternatives in a sentence: `a, b or c`.
  package var alternatives: String {
    count > 1 ? "\(dropLast().joined(separator: ", ")) or \(self[count - 1])" : first ?? ""
  }
}
