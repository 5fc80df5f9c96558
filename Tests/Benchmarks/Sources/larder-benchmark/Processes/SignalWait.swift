import Glibc

/// Signals that are blocked and waited for synchronously.
struct SignalWait {
  private var signals = sigset_t()

  init(_ signals: [Int32]) {
    sigemptyset(&self.signals)
    for signal in signals { sigaddset(&self.signals, signal) }
    pthread_sigmask(SIG_BLOCK, &self.signals, nil)
  }

  /// Waits for the next signal.
  func next() -> Int32 {
    var signals = signals
    var signal: Int32 = 0
    while sigwait(&signals, &signal) != 0 {}
    return signal
  }
}
