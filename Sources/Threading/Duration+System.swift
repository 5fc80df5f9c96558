package import Glibc

extension timespec {
  /// Converts a duration for a system call; more than 2³² seconds become 2³².
  package init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init(tv_sec: Int(min(seconds, 1 << 32)), tv_nsec: Int(attoseconds / 1_000_000_000))
  }

  /// The time of a clock after a duration from now.
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

  package var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
}

extension Duration {

  /// Blocks the calling thread for this long, or until it handles a signal.
  package func sleep() {
    var time = timespec(self)
    _ = ForkGate.shared.allowingForks { nanosleep(&time, nil) }
  }
}
