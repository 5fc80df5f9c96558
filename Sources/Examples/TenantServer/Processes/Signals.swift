import Glibc

/// The signals by which the server is controlled. They are waited for, since hardly anything may be
/// done in a handler of a signal. Larder installs no handlers, and its threads leave all signals alone.
enum Signals {
  private static let awaited: sigset_t = {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGCHLD] { sigaddset(&signals, signal) }
    return signals
  }()

  /// Blocks the signals in this thread and all that it starts, also in other programs that it runs, so
  /// that ``next(within:)`` gets them. A client that has gone ends nothing.
  static func block() {
    var signals = awaited
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Waits for the next signal.
  ///
  /// - Returns: Nil if none has come in time.
  static func next(within limit: Duration = .seconds(3600)) -> Int32? {
    var signals = awaited
    var time = timespec(tv_sec: Int(limit.components.seconds), tv_nsec: 0)
    let signal = sigtimedwait(&signals, nil, &time)
    return signal < 0 ? nil : signal
  }
}
