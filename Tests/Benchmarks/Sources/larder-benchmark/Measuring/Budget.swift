/// The time for the samples of a contender.
struct Budget {
  /// The minimum and maximum number of samples.
  var rounds: ClosedRange<Int>
  /// The approximate total time within these bounds, in nanoseconds.
  var nanoseconds: Double
  /// The minimum length of a sample in nanoseconds.
  var sample: Double

  /// Returns the number of samples of an operation that takes the given time.
  func rounds(of nanoseconds: Int) -> Int {
    let count = Int(self.nanoseconds / Double(max(nanoseconds, 1)))
    return min(max(count, rounds.lowerBound), rounds.upperBound)
  }
}
