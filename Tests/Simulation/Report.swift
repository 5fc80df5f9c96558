/// What simulations have done.
struct Report: Sendable {
  private var runs = 0
  private var coverage = Simulation.Coverage()
  private let start = ContinuousClock.now

  var time: Duration { .now - start }

  mutating func add(_ outcome: Simulator.Outcome) {
    runs += 1
    coverage.add(outcome.coverage)
  }

  /// Steps and faults with their numbers, and how often each fault met each step.
  var text: String {
    let steps = coverage.steps.values.reduce(0, +)
    let rate = Int(Double(steps) / (time / .seconds(1)))
    var lines = ["\(steps) steps in \(runs) runs, \(rate) a second"]
    let faults = coverage.faults.keys.sorted()
    lines.append(
      "faults: " + faults.map { "\($0) \(coverage.faults[$0]!)" }.joined(separator: ", "))
    var missing: [String] = []
    for step in Step.allCases {
      let counts = faults.map { fault -> String in
        let count = coverage.pairs["\(step.rawValue) \(fault)", default: 0]
        // A process forks between two calls.
        if count == 0, fault != "fork", step.mayFail || Action.faults[fault] == nil {
          missing.append("\(step.rawValue) \(fault)")
        }
        return "\(count)"
      }
      lines.append(
        "\(step.rawValue) \(coverage.steps[step, default: 0]): " + counts.joined(separator: " "))
    }
    lines.append(
      "pairs that did not occur: \(missing.isEmpty ? "none" : missing.joined(separator: ", "))")
    return lines.joined(separator: "\n")
  }
}
