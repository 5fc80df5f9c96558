import Foundation

/// A clock of the system.
struct Clock: Sendable {
  private let identifier: clockid_t

  /// The time since some moment that all processes of the machine share.
  static let wall = Clock(identifier: CLOCK_MONOTONIC)
  /// The time that the processors have spent on this process, all threads together.
  static let processor = Clock(identifier: CLOCK_PROCESS_CPUTIME_ID)

  var nanoseconds: Int {
    var time = timespec()
    clock_gettime(identifier, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// How long something takes.
  func time(_ body: () throws -> Void) rethrows -> Double {
    let start = nanoseconds
    try body()
    return Double(nanoseconds - start)
  }
}
