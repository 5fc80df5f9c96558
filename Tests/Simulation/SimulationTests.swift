import Foundation
import Testing

/// The engine with several processes on one machine, in many orders.
@Suite(.serialized)
struct SimulationTests {
  /// Whether more seeds are tried, and which ones.
  private enum Plan {
    case seeds(Range<UInt64>)
    case seconds(Double, from: UInt64)

    /// `LARDER_SIMULATION_SEEDS` is a seed or a range such as `0..<1000`; `LARDER_SIMULATION_SECONDS`
    /// is a time for which new seeds are tried.
    init() {
      let environment = ProcessInfo.processInfo.environment
      let text = environment["LARDER_SIMULATION_SEEDS"] ?? ""
      let bounds = text.components(separatedBy: "..<").compactMap { UInt64($0) }
      if let first = bounds.first {
        self = .seeds(first..<(bounds.count == 2 ? bounds[1] : first + 1))
      } else if let seconds = environment["LARDER_SIMULATION_SECONDS"].flatMap(Double.init) {
        self = .seconds(seconds, from: .random(in: 0..<1 << 48))
      } else {
        self = .seeds(0..<60)
      }
    }
  }

  @Test func seedsBreakNoInvariant() {
    let simulator = Simulator()
    var report = Report()
    func tries(_ seed: UInt64) -> Bool {
      let outcome = simulator.run(seed: seed)
      report.add(outcome)
      guard outcome.violation != nil else { return true }
      Issue.record("\(explain(simulator.shorten(outcome), by: simulator, "seed \(seed)"))")
      return false
    }
    switch Plan() {
    case .seeds(let seeds): _ = seeds.allSatisfy(tries)
    case .seconds(let seconds, var seed):
      while report.time < .seconds(seconds), tries(seed) { seed += 1 }
    }
    print(report.text)
  }

  /// Schedules that once broke an invariant, or that demonstrate a guarantee.
  @Test(arguments: try FileManager.default.contentsOfDirectory(atPath: schedules).sorted())
  func keptScheduleBreaksNoInvariant(_ name: String) throws {
    let text = try String(contentsOfFile: "\(Self.schedules)/\(name)", encoding: .utf8)
    let schedule = try #require(Schedule(text))
    let simulator = Simulator()
    let outcome = simulator.run(schedule)
    if outcome.violation != nil { Issue.record("\(explain(outcome, by: simulator, name))") }
  }

  private static let schedules =
    URL(filePath: #filePath).deletingLastPathComponent().path + "/Schedules"

  /// What has happened until an invariant was broken.
  private func explain(
    _ outcome: Simulator.Outcome, by simulator: Simulator, _ name: String
  ) -> String {
    let traced = simulator.run(outcome.schedule, isTraced: true)
    guard let violation = traced.violation else { return "\(name) is not repeated by its schedule" }
    let title = "\(name) breaks \"\(violation.invariant)\": \(violation.details)"
    return ([title, outcome.schedule.setting.text] + traced.trace).joined(separator: "\n")
  }
}
