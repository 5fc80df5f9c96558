internal import Glibc

/// Prints events on standard error: each cause once, and only a few in a short time.
final class FailureLog: Sendable {
  static let shared = FailureLog()

  /// The largest number of lines printed within ``period``.
  private static let limit = 20
  private static let period = Duration.seconds(60)
  /// The number of causes remembered.
  private static let memory = 1_000

  private struct State {
    /// Hash values of the causes.
    var printed: Set<Int> = []
    /// The times of the latest lines.
    var times: [ContinuousClock.Instant] = []
    /// The number of lines omitted since the last one.
    var omitted = 0
  }

  private let state = Guarded(State())

  func print(_ event: PreferencesEvent) {
    let text = event.description
    // Files that are polled for the same reason are one cause.
    let cause =
      if case .polling(_, let reason) = event { "polling, because \(reason)" } else { text }
    let omitted = StateLock.change { change -> Int? in
      let now = ContinuousClock.now
      if change[state].printed.contains(cause.hashValue) { return nil }
      change[state].times.removeAll { $0 < now - Self.period }
      guard change[state].times.count < Self.limit else {
        change[state].omitted += 1
        return nil
      }
      if change[state].printed.count == Self.memory { change[state].printed = [] }
      change[state].printed.insert(cause.hashValue)
      change[state].times.append(now)
      return exchange(&change[state].omitted, with: 0)
    }
    guard let omitted else { return }
    StandardError.write(
      omitted == 0 ? "Larder: \(text)\n" : "Larder: \(text) (\(omitted) other failures omitted)\n")
  }
}

package enum StandardError {
  /// Writes as much as fits at once to the program's standard error. A reader that is slow, or no
  /// longer there, must not block or end the program.
  package static func write(_ line: String) {
    var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    guard poll(&descriptor, 1, 0) == 1, descriptor.revents & Int16(POLLOUT) != 0 else { return }
    var (pipe, old, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    sigpending(&pending)
    pthread_sigmask(SIG_BLOCK, &pipe, &old)
    var text = line
    let count = text.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    if count < 0, errno == EPIPE, sigismember(&pending, SIGPIPE) == 0 {
      var none = timespec()
      _ = sigtimedwait(&pipe, nil, &none)
    }
    pthread_sigmask(SIG_SETMASK, &old, nil)
  }
}
