/// The results of one group of measurements.
struct Findings {
  let group: String
  private(set) var list: [Finding] = []
  /// Failed measurements with their errors.
  private(set) var failures: [String] = []

  init(_ group: String) { self.group = group }

  mutating func add(
    _ measurement: String, _ timing: Timing, unit: Finding.Unit = .nanoseconds,
    ratio: (name: String, value: Double)? = nil, _ target: Target? = nil
  ) {
    list.append(Finding(group, measurement, timing, unit, ratio: ratio, target))
  }

  mutating func addFailure(_ measurement: String, _ error: any Error) {
    failures.append("\(group), \(measurement): \(error)")
  }

  /// Adds the times of contenders, with their ratios to the first one, or for limits the first
  /// one's ratio to them.
  mutating func addComparison(
    _ measurement: String, _ timings: [Timing], unit: Finding.Unit = .nanoseconds,
    target: (Timing) -> Target? = { _ in nil }, isLimit: (Timing) -> Bool = { _ in false }
  ) {
    guard let first = timings.first else { return }
    add(measurement, first, unit: unit)
    for timing in timings.dropFirst() {
      let (upper, lower) = isLimit(timing) ? (first, timing) : (timing, first)
      add(
        measurement, timing, unit: unit,
        ratio: ("\(upper.name) / \(lower.name)", upper.median / lower.median), target(timing))
    }
  }
}
