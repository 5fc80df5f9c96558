import Foundation

/// A system clock.
struct Clock: Sendable {
  private let identifier: clockid_t

  /// The monotonic clock, which all processes share.
  static let wall = Clock(identifier: CLOCK_MONOTONIC)
  /// The processor time of all threads of this process.
  static let processor = Clock(identifier: CLOCK_PROCESS_CPUTIME_ID)

  var nanoseconds: Int {
    var time = timespec()
    clock_gettime(identifier, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Sleeps until the clock shows a time.
  ///
  /// - Returns: Whether the time had not passed yet.
  func sleep(until nanoseconds: Int) -> Bool {
    guard self.nanoseconds < nanoseconds else { return false }
    var time = timespec(
      tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    while clock_nanosleep(identifier, TIMER_ABSTIME, &time, nil) == EINTR {}
    return true
  }

  /// Returns the time that a closure takes, in nanoseconds.
  func time(_ body: () throws -> Void) rethrows -> Double {
    let start = nanoseconds
    try body()
    return Double(nanoseconds - start)
  }
}
