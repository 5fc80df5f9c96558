internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import Threading

/// A line on standard error that shows a long-running activity, and is erased when the activity
/// ends.
final class Progress: Sendable {
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

  /// An activity is shown after this time.
  private static let delay = Duration.seconds(2)

  /// Starts the time of an activity.
  func begin(_ activity: String) { state.withLock { $0 = State(activity: activity) } }

  /// Changes what the line says about the activity, without restarting its time.
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
    // An error of standard error cannot be reported anywhere.
    try? Descriptor.standardError.writeAll(Data(text.utf8))
  }
}
