internal import Glibc

/// The signals that control the agent. They are waited for, since hardly anything may be done
/// in a handler.
enum AgentSignals {
  private static var awaited: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGUSR1] { sigaddset(&signals, signal) }
    return signals
  }

  /// Blocks the signals in this thread and all that it starts.
  static func block() {
    var signals = awaited
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Waits for the next of the signals.
  static func next() -> Int32 {
    var signals = awaited
    while true {
      let signal = sigwaitinfo(&signals, nil)
      if signal > 0 { return signal }
    }
  }
}
