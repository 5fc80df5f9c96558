/// The samples of one contender.
struct Timing {
  var name: String
  /// The sorted samples, in nanoseconds unless another unit is measured.
  let samples: [Double]

  init(name: String, samples: [Double]) {
    self.name = name
    self.samples = samples.sorted()
  }

  var median: Double { quantile(0.5) }

  /// Returns a quantile, interpolated linearly between two samples.
  func quantile(_ part: Double) -> Double {
    let position = part * Double(samples.count - 1)
    let lower = samples[Int(position)]
    let upper = samples[min(Int(position) + 1, samples.count - 1)]
    // The difference of two infinite samples is not a number.
    guard lower < upper else { return lower }
    return lower + (upper - lower) * (position - position.rounded(.down))
  }
}
