internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import Threading

/// A line on the terminal of standard error that says what takes long, and goes away with it.
final class Progress: Sendable {
  /// What is shown, and for how long it has been going on.
  private struct State {
    var activity: String?
    var start = ContinuousClock.now
    /// What the line says now; empty where there is none.
    var line = ""
  }

  private let state = Lock(State())
  private let columns: Int

  /// A line that is going to be shown; nil where nobody would see it.
  init?() {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    var size = winsize()
    columns = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
    let state = self.state
    let columns = self.columns
    let started = BackgroundThread.start("progress") {
      while true {
        usleep(200_000)
        state.withLock { Self.update(&$0, columns: columns) }
      }
    }
    guard started else { return nil }
  }

  /// How long nothing is said.
  private static let patience = Duration.seconds(2)

  /// Begins to count the time of an activity.
  func begin(_ activity: String) {
    state.withLock { $0 = State(activity: activity) }
  }

  /// Takes the line away, for good.
  func end() {
    state.withLock { state in
      Self.hide(&state)
      state.activity = nil
    }
  }

  /// Takes the line away for what is printed in its place.
  func hide() {
    state.withLock { Self.hide(&$0) }
  }

  private static func update(_ state: inout State, columns: Int) {
    guard let activity = state.activity else { return }
    let elapsed = ContinuousClock.now - state.start
    guard elapsed >= patience else { return }
    // A line that wraps could not be taken away.
    let width = columns > 1 ? columns - 1 : 79
    let line = String("\(activity), \(elapsed.components.seconds) s".prefix(width))
    guard line != state.line else { return }
    write("\r\u{1B}[K" + line)
    state.line = line
  }

  private static func hide(_ state: inout State) {
    guard !state.line.isEmpty else { return }
    write("\r\u{1B}[K")
    state.line = ""
  }

  private static func write(_ text: String) {
    // Where standard error fails there is nobody left to tell.
    try? Descriptor.standardError.writeAll(Data(text.utf8))
  }
}
