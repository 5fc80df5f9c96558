/// How long a contender may be sampled.
struct Budget {
  /// How many samples there are at the least and at the most.
  var rounds: ClosedRange<Int>
  /// How long all of them take about, between these bounds.
  var nanoseconds: Double
  /// How long a sample is at least.
  var sample: Double

  /// How many samples there are of what takes so long.
  func rounds(of nanoseconds: Int) -> Int {
    let count = Int(self.nanoseconds / Double(max(nanoseconds, 1)))
    return min(max(count, rounds.lowerBound), rounds.upperBound)
  }
}
