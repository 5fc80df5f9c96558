/// The results of one group of measurements.
struct Findings {
  let group: String
  private(set) var list: [Finding] = []
  /// Failed measurements with their errors.
  private(set) var failures: [String] = []
  private(set) var table: Table

  /// - Parameters:
  ///   - group: The name of the group.
  ///   - title: The title of its table.
  init(_ group: String, title: String) {
    self.group = group
    table = Table(title: title)
  }

  mutating func add(
    _ measurement: String, _ timing: Timing, unit: Finding.Unit = .nanoseconds,
    ratio: (name: String, value: Double)? = nil, _ target: Table.Target? = nil
  ) {
    let finding = Finding(group, measurement, timing, unit: unit, ratio: ratio, target)
    list.append(finding)
    table.add(finding.row)
  }

  /// Adds a failed measurement.
  mutating func addFailure(_ measurement: String, _ error: any Error) {
    failures.append("\(group), \(measurement): \(error)")
    table.add(
      Table.Row(measurement: "\(measurement): \(error)", contender: "", isFailure: true))
  }

  /// Adds the times of contenders, with their ratios to the first one, or its ratio to those that are
  /// limits.
  mutating func addComparison(
    _ measurement: String, _ timings: [Timing], target: (Timing) -> Table.Target? = { _ in nil }
  ) {
    guard let first = timings.first else { return }
    add(measurement, first)
    for timing in timings.dropFirst() {
      let isLimit = CodecPeerName(rawValue: timing.name)?.isLimit ?? false
      let (upper, lower) = isLimit ? (first, timing) : (timing, first)
      add(
        measurement, timing,
        ratio: ("\(upper.name) / \(lower.name)", upper.median / lower.median), target(timing))
    }
  }
}
