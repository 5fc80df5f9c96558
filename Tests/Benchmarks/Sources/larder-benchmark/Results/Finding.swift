/// The target of a ratio, or of a median that has no ratio.
enum Target {
  case atLeast(Double)
  case atMost(Double)
}

/// The result of one contender.
struct Finding: Encodable {
  /// The unit of the median and the quantiles.
  enum Unit: String, Encodable {
    case nanoseconds, bytes, count
    case nanosecondsPerByte = "nanoseconds per byte"
  }

  /// The name of the group of measurements.
  let group: String
  /// The measurement, for example the name of a document.
  let measurement: String
  let contender: String
  let unit: Unit
  let median: Double
  let low: Double
  let high: Double
  let samples: Int
  /// The ratio to another result, and a description of it.
  let ratio: Double?
  let ratioName: String?
  private(set) var atLeast: Double?
  private(set) var atMost: Double?
  /// Whether the target is met; nil if there is none.
  private(set) var isMet: Bool?

  init(
    _ group: String, _ measurement: String, _ timing: Timing, _ unit: Unit,
    ratio: (name: String, value: Double)?, _ target: Target?
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
    let value = self.ratio ?? median
    switch target {
    case .atLeast(let limit):
      atLeast = limit
      isMet = value >= limit
    case .atMost(let limit):
      atMost = limit
      isMet = value <= limit
    case nil: break
    }
  }

  /// The fields of the row that the script `table` reads, between tabs.
  var row: String {
    [
      measurement, contender, unit.rawValue, "\(median)", "\(low)", "\(high)", "\(samples)",
      ratio.map { "\($0)" } ?? "", ratioName ?? "", atLeast.map { "\($0)" } ?? "",
      atMost.map { "\($0)" } ?? "", isMet.map { $0 ? "met" : "NOT MET" } ?? "",
    ].joined(separator: "\t")
  }
}
