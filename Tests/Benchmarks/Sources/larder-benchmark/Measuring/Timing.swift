/// The samples of one contender.
struct Timing {
  var name: String
  /// In nanoseconds, or the unit of whatever else is measured; sorted.
  let samples: [Double]

  init(name: String, samples: [Double]) {
    self.name = name
    self.samples = samples.sorted()
  }

  var median: Double { quantile(0.5) }

  /// The time that this part of the samples do not exceed; between two samples what lies between.
  func quantile(_ part: Double) -> Double {
    let position = part * Double(samples.count - 1)
    let lower = samples[Int(position)]
    let upper = samples[min(Int(position) + 1, samples.count - 1)]
    // Two infinite ones have no difference.
    guard lower < upper else { return lower }
    return lower + (upper - lower) * (position - position.rounded(.down))
  }
}
