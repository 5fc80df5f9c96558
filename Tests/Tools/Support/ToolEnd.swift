internal import Glibc

/// The end of a small tool that benchmarks and tests measure.
package enum ToolEnd {
  /// Ends the process after printing a value and the time of the monotonic clock, in nanoseconds:
  /// what follows is the cost of the end alone.
  package static func exit(printing value: Int) -> Never {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    print(value, time.tv_sec * 1_000_000_000 + time.tv_nsec)
    Glibc.exit(0)
  }
}
