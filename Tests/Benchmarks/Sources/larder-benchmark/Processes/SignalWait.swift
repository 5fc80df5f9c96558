import Glibc

/// Signals that wait until they are asked for, rather than ending the process.
struct SignalWait {
  private var signals = sigset_t()

  init(_ signals: [Int32]) {
    sigemptyset(&self.signals)
    for signal in signals { sigaddset(&self.signals, signal) }
    pthread_sigmask(SIG_BLOCK, &self.signals, nil)
  }

  /// Waits for one of them.
  func next() -> Int32 {
    var signals = signals
    var signal: Int32 = 0
    while sigwait(&signals, &signal) != 0 {}
    return signal
  }
}
