/// What was measured of one contender, as the report holds it.
struct Finding: Codable {
  /// What a median and its quantiles count.
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
  /// What was measured, for example the name of a document.
  var measurement: String
  var contender: String
  var unit: Unit
  var median: Double
  var low: Double
  var high: Double
  var samples: Int
  /// How many times something else it is, and of what.
  var ratio: Double?
  var ratioName: String?
  /// What the ratio, or the median where there is none, is to be.
  var atLeast: Double?
  var atMost: Double?
  /// Whether it is; nil where there is no target.
  var isMet: Bool?

  /// - Parameter ratio: How many times something else it is, in words and in a number.
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
    // What is printed decides, so that no line says 1.50, at most 1.5, not met.
    self.ratio = ratio.map { ($0.value * 100).rounded() / 100 }
    ratioName = ratio?.name
    switch target {
    case .atLeast(let limit): atLeast = limit
    case .atMost(let limit): atMost = limit
    case nil: break
    }
    isMet = target?.isMet(by: self.ratio ?? median)
  }

  /// Its line in a table.
  var row: Table.Row {
    let target: Table.Target? = atLeast.map { .atLeast($0) } ?? atMost.map { .atMost($0) }
    return Table.Row(
      measurement: measurement, contender: contender, median: unit.text(median),
      low: samples > 1 ? unit.text(low) : "", high: samples > 1 ? unit.text(high) : "",
      ratio: ratio.map(Table.number) ?? "", ratioName: ratioName ?? "",
      target: target?.text(ratio == nil ? unit.text : Table.shortNumber) ?? "", isMet: isMet)
  }
}
