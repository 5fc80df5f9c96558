internal import Glibc

/// Prints failures that nobody handles on standard error: each once, and not many at a time.
final class FailureLog: Sendable {
  static let shared = FailureLog()

  /// The most lines that are printed within ``period``.
  private static let limit = 20
  private static let period = Duration.seconds(60)
  /// The number of printed lines that are remembered.
  private static let memory = 1_000

  private struct State {
    /// The hash values of the lines that have been printed.
    var printed: Set<Int> = []
    /// The times of the latest lines.
    var times: [ContinuousClock.Instant] = []
    /// The number of lines that were left out since the last one.
    var omitted = 0
  }

  private let state = Guarded(State())

  /// Prints a failure, unless it has been printed or there have been too many.
  func print(_ text: String) {
    let omitted = StateLock.change { change -> Int? in
      let now = ContinuousClock.now
      if change[state].printed.contains(text.hashValue) { return nil }
      change[state].times.removeAll { $0 < now - Self.period }
      guard change[state].times.count < Self.limit else {
        change[state].omitted += 1
        return nil
      }
      if change[state].printed.count == Self.memory { change[state].printed = [] }
      change[state].printed.insert(text.hashValue)
      change[state].times.append(now)
      return exchange(&change[state].omitted, with: 0)
    }
    guard let omitted else { return }
    Self.write(
      omitted == 0 ? "Larder: \(text)\n" : "Larder: \(text) (\(omitted) other failures left out)\n")
  }

  /// Writes to standard error what fits at once. A reader that has gone or is behind must not end
  /// or stop the process.
  private static func write(_ line: String) {
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
