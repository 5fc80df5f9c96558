package import Glibc

extension timespec {
  /// Converts a duration, of at most 2³² seconds, for a system call.
  package init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init(tv_sec: Int(min(seconds, 1 << 32)), tv_nsec: Int(attoseconds / 1_000_000_000))
  }

  /// Returns the time of the clock at which a duration from now has passed.
  package init(_ duration: Duration, fromNowOn clock: clockid_t) {
    var now = timespec()
    clock_gettime(clock, &now)
    self.init(duration)
    tv_sec += now.tv_sec
    tv_nsec += now.tv_nsec
    if tv_nsec >= 1_000_000_000 {
      tv_sec += 1
      tv_nsec -= 1_000_000_000
    }
  }
}

extension Duration {
  /// The time of `CLOCK_MONOTONIC` at which the duration from now has passed.
  package var endFromNow: (seconds: Int, nanoseconds: Int) {
    let end = timespec(self, fromNowOn: CLOCK_MONOTONIC)
    return (end.tv_sec, end.tv_nsec)
  }

  /// Blocks the calling thread for this long, or until it handles a signal.
  package func sleep() {
    var time = timespec(self)
    _ = ForkGate.shared.allowingForks { nanosleep(&time, nil) }
  }
}
