import Foundation

/// The times of one measurement as bars on a logarithmic scale.
struct ChartPanel {
  /// Returns the height of a panel with a number of bars, including the title and the axis.
  static func height(bars: Int) -> Double { 24 + Double(bars) * pitch + 24 }

  private static let pitch = 21.0
  private static let nameWidth = 94.0
  private static let labelWidth = 96.0

  var title: String
  /// The bars; the first is the contender that the others are compared with.
  var bars: [Finding]

  /// Draws the panel.
  ///
  /// - Parameters:
  ///   - scale: The times at both ends in nanoseconds, which are powers of ten.
  ///   - room: The number of bars to leave room for.
  func draw(
    on canvas: inout SVGCanvas, x: Double, y: Double, width: Double,
    scale: ClosedRange<Double>, room: Int
  ) {
    canvas.text(title, x: x, y: y + 13, class: "heading")
    let left = x + Self.nameWidth
    let length = width - Self.nameWidth - Self.labelWidth
    let decades = log10(scale.upperBound / scale.lowerBound)
    func place(_ nanoseconds: Double) -> Double {
      left + length * log10(nanoseconds / scale.lowerBound) / decades
    }

    let top = y + 24
    let bottom = top + Double(room) * Self.pitch
    var tick = scale.lowerBound
    while tick <= scale.upperBound * 1.001 {
      canvas.line(x: place(tick), from: top, to: bottom, class: "grid")
      canvas.text(
        Self.tickText(tick), x: place(tick), y: bottom + 13, anchor: .middle, class: "tick")
      tick *= 10
    }

    for (index, bar) in bars.enumerated() {
      let y = top + Double(index) * Self.pitch
      let kind = Self.kind(of: bar, isFirst: index == 0)
      let end = max(place(bar.median), left + 1)
      canvas.text(
        bar.contender, x: left - 8, y: y + 15, anchor: .end,
        class: kind == "own" ? "name strong" : "name")
      canvas.rectangle(x: left, y: y + 4, width: end - left, height: 14, radius: 2, class: kind)
      canvas.text(
        label(bar, isFirst: index == 0), x: end + 6, y: y + 15,
        class: kind == "own" ? "value strong" : "value")
    }
  }

  /// Returns the time and its ratio to the first one.
  private func label(_ bar: Finding, isFirst: Bool) -> String {
    let time = Table.duration(bar.median)
    guard !isFirst, let first = bars.first else { return time }
    return "\(time) · \(Table.number(bar.median / first.median))×"
  }

  private static func kind(of bar: Finding, isFirst: Bool) -> String {
    if isFirst { return "own" }
    return CodecPeerName(rawValue: bar.contender)?.isLimit == true ? "limit" : "peer"
  }

  /// Formats a power of ten in a suitable unit.
  private static func tickText(_ nanoseconds: Double) -> String {
    let units: [(String, Double)] = [("s", 1e9), ("ms", 1e6), ("µs", 1e3)]
    let (unit, size) = units.first { nanoseconds >= $0.1 * 0.999 } ?? ("ns", 1)
    return "\(Int((nanoseconds / size).rounded())) \(unit)"
  }
}
