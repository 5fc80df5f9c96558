/// How many samples are taken and how long they are.
struct Pace {
  var rounds: Int
  /// How long a sample is at least, so that reading the clock does not count.
  var nanoseconds: Double
}
