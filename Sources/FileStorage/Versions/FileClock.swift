internal import Glibc
internal import Synchronization
internal import Threading

/// The clock with which the kernel dates files, and the times that it shows twice because it was
/// set back. A file that was changed at such a time may have been changed again with an equal
/// timestamp.
struct FileClock {
  /// The clock minus the monotonic clock, in nanoseconds; the greatest number if unknown.
  private var offset = Int64.max
  /// The last time that the clock shows twice, in nanoseconds since 1970.
  private(set) var repeatsUntil = Int64.min

  init() {}

  private init(offset: Int64, repeatsUntil: Int64) {
    (self.offset, self.repeatsUntil) = (offset, repeatsUntil)
  }

  /// How much adjusting the clock may change the offset between two reads.
  private static let tolerance: Int64 = 1_000_000

  /// Records both clocks at one moment.
  mutating func note(_ time: Int64, monotonic: Int64) {
    let new = time - monotonic
    if offset != .max, new < offset - Self.tolerance {
      repeatsUntil = max(repeatsUntil, offset + monotonic)
    }
    offset = new
  }

  private static let offset = Atomic(Int64.max)
  private static let repeatsUntil = Atomic(Int64.min)

  /// The timestamp that the kernel would give a change now.
  static func now() -> Int64 {
    let before = nanoseconds(CLOCK_MONOTONIC_COARSE)
    let time = nanoseconds(CLOCK_REALTIME_COARSE)
    // Otherwise a tick came between the two reads.
    if nanoseconds(CLOCK_MONOTONIC_COARSE) == before {
      var clock = FileClock(
        offset: offset.load(ordering: .relaxed),
        repeatsUntil: repeatsUntil.load(ordering: .relaxed))
      clock.note(time, monotonic: before)
      offset.store(clock.offset, ordering: .relaxed)
      repeatsUntil.max(clock.repeatsUntil, ordering: .relaxed)
    }
    return time
  }

  /// Whether the clock may show a time twice.
  static func mayRepeat(_ time: Int64) -> Bool { time <= repeatsUntil.load(ordering: .relaxed) }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.nanoseconds
  }
}
