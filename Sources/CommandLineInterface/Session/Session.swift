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

  /// Whether standard output is a terminal that shows colors, and `NO_COLOR` is not set.
  private let hasColors: Bool

  /// A run of the tool of this name.
  package init(tool: String) {
    self.tool = tool
    let isDeclined = Environment.value(of: "NO_COLOR").map { !$0.isEmpty } ?? false
    let isPlain = Environment.value(of: "TERM").map { $0 == "dumb" } ?? true
    hasColors = !isDeclined && !isPlain && isatty(STDOUT_FILENO) == 1
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
  package func print(_ text: String, in style: TextStyle) {
    print(hasColors ? style.applied(to: text) : text)
  }

  /// Prints the line of a difference.
  ///
  /// - Parameter isSecret: Whether the value is left out.
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

  /// Prints an error about a file or, for nil, the tool, and makes the exit status that of a
  /// failure.
  package func report(_ message: String, about file: String? = nil) {
    fail(["\(file ?? tool): \(message)"])
  }

  /// Prints the lines of an error to standard error as they are, and makes the exit status that of
  /// a failure.
  package func fail(_ lines: [String]) {
    status = failureStatus
    for line in lines { note(line) }
  }

  /// Prints a warning about a file or value or, for nil, the tool to standard error.
  package func warn(_ warning: some CustomStringConvertible, about file: String? = nil) {
    note("\(file ?? tool): warning: \(warning)")
  }

  /// Prints warnings to standard error.
  package func warn(_ warnings: [some CustomStringConvertible], about file: String? = nil) {
    for warning in warnings { warn(warning, about: file) }
  }

  /// Prints a line to standard error, after the buffered output.
  package func note(_ line: String) {
    flush()
    progress?.hide()
    // There is nowhere to report that standard error fails.
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

  /// Changes what is shown during ``withProgress(_:waitsForInput:_:)``, such as how far it is.
  package func describeProgress(_ activity: @autoclosure () -> String) {
    if let progress { progress.describe(activity().onOneLine) }
  }

  /// Makes the exit status that of a failure, which has been printed in another way.
  package func failSilently() { status = failureStatus }

  /// The exit status of a run in which anything failed.
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

/// The role of a text, which a terminal shows in one of the colors that its user has chosen.
package enum TextStyle: String, Sendable {
  case key = "34"
  case string = "32"
  case number = "36"
  case constant = "35"
  case heading = "1"
  case removed = "31"
  case added = "92"

  /// The text in this style, by the control sequence SGR of ECMA-48. It must not contain control
  /// characters itself.
  func applied(to text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}

/// A line on standard error that shows a long-running activity, and is erased when the activity
/// ends.
private final class Progress: Sendable {
  private struct State {
    var activity: String?
    var start = ContinuousClock.now
    /// The line on the terminal; empty if there is none.
    var line = ""
  }

  private let state = Lock(State())

  /// Starts the thread that shows the line; nil if standard error is not a terminal.
  init?() {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    var size = winsize()
    let columns = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
    // A line that wraps could not be erased.
    let width = columns > 1 ? columns - 1 : 79
    let state = self.state
    let started = BackgroundThread.start("progress") {
      while true {
        Duration.milliseconds(200).sleep()
        state.withLock { Self.update(&$0, width: width) }
      }
    }
    guard started else { return nil }
  }

  /// The time after which an activity is shown.
  private static let delay = Duration.seconds(2)

  /// Starts the time of an activity.
  func begin(_ activity: String) { state.withLock { $0 = State(activity: activity) } }

  /// Changes what the line says about the activity, whose time goes on.
  func describe(_ activity: String) {
    state.withLock { if $0.activity != nil { $0.activity = activity } }
  }

  /// Ends the activity, and erases the line.
  func end() {
    state.withLock { state in
      Self.erase(&state)
      state.activity = nil
    }
  }

  /// Erases the line until the next update, so that something else can be printed.
  func hide() { state.withLock { Self.erase(&$0) } }

  /// Shows the elapsed time, on the background thread.
  private static func update(_ state: inout State, width: Int) {
    guard let activity = state.activity else { return }
    let elapsed = ContinuousClock.now - state.start
    guard elapsed >= delay else { return }
    let line = String("\(activity), \(elapsed.components.seconds) s".prefix(width))
    guard line != state.line else { return }
    state.line = line
    write("\r\u{1B}[K" + line)
  }

  private static func erase(_ state: inout State) {
    guard !state.line.isEmpty else { return }
    write("\r\u{1B}[K")
    state.line = ""
  }

  private static func write(_ text: String) {
    // There is nowhere to report that standard error fails.
    try? Descriptor.standardError.writeAll(Data(text.utf8))
  }
}
