import Foundation

/// A table of results with their targets.
struct Table {
  /// The target of a measurement.
  enum Target {
    case atLeast(Double)
    case atMost(Double)

    func isMet(by value: Double) -> Bool {
      switch self {
      case .atLeast(let limit): value >= limit
      case .atMost(let limit): value <= limit
      }
    }

    func text(_ format: (Double) -> String) -> String {
      switch self {
      case .atLeast(let limit): "≥ " + format(limit)
      case .atMost(let limit): "≤ " + format(limit)
      }
    }
  }

  /// A row.
  struct Row {
    var measurement: String
    var contender: String
    var median = ""
    var low = ""
    var high = ""
    var ratio = ""
    var ratioName = ""
    var target = ""
    /// Whether the target is met; nil if there is none.
    var isMet: Bool?
    /// Whether the measurement failed.
    var isFailure = false
  }

  let title: String
  /// The heading of the first column of numbers.
  let valueTitle: String
  private(set) var rows: [Row] = []

  init(title: String, valueTitle: String = "median") {
    self.title = title
    self.valueTitle = valueTitle
  }

  // MARK: Adding

  /// Adds the times of a contender.
  mutating func add(_ measurement: String, _ timing: Timing) {
    rows.append(Self.row(measurement, timing))
  }

  /// Adds the times of a contender and their ratio to another time.
  mutating func add(
    _ measurement: String, _ timing: Timing, ratio: Double, _ ratioName: String,
    _ target: Target? = nil
  ) {
    var row = Self.row(measurement, timing)
    // The target applies to the printed value, so that no row reads "1.50, ≤ 1.5, NOT MET".
    let rounded = (ratio * 100).rounded() / 100
    row.ratio = Self.number(rounded)
    row.ratioName = ratioName
    row.target = target?.text(Self.shortNumber) ?? ""
    row.isMet = target?.isMet(by: rounded)
    rows.append(row)
  }

  /// Adds the times of a contender whose median must not exceed a limit.
  mutating func add(_ measurement: String, _ timing: Timing, _ name: String, within limit: Double) {
    var row = Self.row(measurement, timing)
    row.target = "\(name) ≤ \(Self.duration(limit))"
    row.isMet = timing.median <= limit
    rows.append(row)
  }

  /// Adds a row.
  mutating func add(_ row: Row) {
    rows.append(row)
  }

  /// Adds a failed measurement.
  mutating func addFailure(_ error: any Error) {
    rows.append(Row(measurement: "could not be measured: \(error)", contender: "", isFailure: true))
  }

  private static func row(_ measurement: String, _ timing: Timing) -> Row {
    Row(
      measurement: measurement, contender: timing.name, median: duration(timing.median),
      low: duration(timing.quantile(0.1)), high: duration(timing.quantile(0.9)))
  }

  // MARK: Printing

  /// The lines of the table with a heading and aligned columns; empty columns are omitted.
  var lines: [String] {
    let head = [
      title, "", valueTitle, "10 %", "90 %", "ratio", "", "target", "",
    ]
    let isRight = [false, false, true, true, true, true, false, false, false]
    let cells = rows.indices.map { self.cells(of: $0) }
    let columns = head.indices.filter { column in
      column == 0 || cells.contains { !$0[column].isEmpty }
    }
    var widths = head.map(\.count)
    for (cells, row) in zip(cells, rows) where !row.isFailure {
      for column in widths.indices { widths[column] = max(widths[column], cells[column].count) }
    }
    return ([head] + cells).map { cells in
      let padded = columns.map { column in
        let cell = cells[column]
        let padding = String(repeating: " ", count: max(0, widths[column] - cell.count))
        return isRight[column] ? padding + cell : cell + padding
      }
      let line = padded.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Returns the cells of a row; the name of a measurement is only in its first row.
  private func cells(of index: Int) -> [String] {
    let row = rows[index]
    let isNamed = index > 0 && rows[index - 1].measurement == row.measurement
    return [
      "  " + (isNamed ? "" : row.measurement), row.contender, row.median, row.low, row.high,
      row.ratio, row.ratioName, row.target, row.isMet.map { $0 ? "met" : "NOT MET" } ?? "",
    ]
  }

  /// Formats a time with three digits in a suitable unit.
  static func duration(_ nanoseconds: Double) -> String {
    let units: [(String, Double)] = [("s", 1e9), ("ms", 1e6), ("µs", 1e3)]
    // A value that rounds to 1000 uses the next unit.
    let (unit, size) = units.first { abs(nanoseconds) >= $0.1 * 0.9995 } ?? ("ns", 1)
    return number(nanoseconds / size) + " " + unit
  }

  /// Formats a number with three digits, or as a whole number.
  static func number(_ value: Double) -> String {
    let decimals = abs(value) < 9.995 ? 2 : abs(value) < 99.95 ? 1 : 0
    return String(format: "%.\(decimals)f", value)
  }

  /// Formats a number with as few digits as possible.
  static func shortNumber(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String(value)
  }
}
