/// The number and length of samples.
struct Pace {
  var rounds: Int
  /// The minimum length of a sample in nanoseconds, which makes the cost of reading the clock
  /// negligible.
  var nanoseconds: Double
}
