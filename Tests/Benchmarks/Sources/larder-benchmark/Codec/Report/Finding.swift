/// The result of one contender in the report.
struct Finding: Codable {
  /// The unit of the median and the quantiles.
  enum Unit: String, Codable {
    case nanoseconds, bytes
    case nanosecondsPerByte = "nanoseconds per byte"

    func text(_ value: Double) -> String {
      switch self {
      case .nanoseconds: Table.duration(value)
      case .bytes: Table.number(value / 1_048_576) + " MiB"
      case .nanosecondsPerByte: Table.number(value) + " ns"
      }
    }
  }

  /// The name of the group of measurements.
  var group: String
  /// The measurement, for example the name of a document.
  var measurement: String
  var contender: String
  var unit: Unit
  var median: Double
  var low: Double
  var high: Double
  var samples: Int
  /// The ratio to another result, and a description of it.
  var ratio: Double?
  var ratioName: String?
  /// The target of the ratio, or of the median if there is no ratio.
  var atLeast: Double?
  var atMost: Double?
  /// Whether the target is met; nil if there is none.
  var isMet: Bool?

  /// - Parameter ratio: The ratio to another result, with its description.
  init(
    _ group: String, _ measurement: String, _ timing: Timing, unit: Unit = .nanoseconds,
    ratio: (name: String, value: Double)? = nil, _ target: Table.Target? = nil
  ) {
    self.group = group
    self.measurement = measurement
    contender = timing.name
    self.unit = unit
    median = timing.median
    low = timing.quantile(0.1)
    high = timing.quantile(0.9)
    samples = timing.samples.count
    // The target applies to the printed value, so that no row reads "1.50, ≤ 1.5, NOT MET".
    self.ratio = ratio.map { ($0.value * 100).rounded() / 100 }
    ratioName = ratio?.name
    switch target {
    case .atLeast(let limit): atLeast = limit
    case .atMost(let limit): atMost = limit
    case nil: break
    }
    isMet = target?.isMet(by: self.ratio ?? median)
  }

  /// The row of a table.
  var row: Table.Row {
    let target: Table.Target? = atLeast.map { .atLeast($0) } ?? atMost.map { .atMost($0) }
    return Table.Row(
      measurement: measurement, contender: contender, median: unit.text(median),
      low: samples > 1 ? unit.text(low) : "", high: samples > 1 ? unit.text(high) : "",
      ratio: ratio.map(Table.number) ?? "", ratioName: ratioName ?? "",
      target: target?.text(ratio == nil ? unit.text : Table.shortNumber) ?? "", isMet: isMet)
  }
}
