import Preferences
import PropertyList

/// Measures reading a key without a value, compared with one that has a value.
enum MissMeasurements {
  static func measure(_ workspace: StoreWorkspace, _ findings: inout Findings) throws {
    let sample = SampleDomain(count: 1_000)
    let filled = try workspace.open(sample, as: "miss").larder
    let empty = try workspace.larder("org.example.miss.empty")
    try filled.check(sample)
    let absent = sample.absentKeys
    for key in absent {
      try ensure(
        !filled.containsValue(forKey: key) && !empty.containsValue(forKey: key),
        "\(key) has a value")
    }

    let pace = workspace.pace
    for kind in [SampleDomain.Kind.integer, .string, .boolean] {
      Terminal.show("miss, \(kind.description)")
      let timings = try takeTimes(
        of: [
          filled.reading(kind, sample.keys(of: kind), as: "a hit among 1000 keys", pace),
          filled.reading(kind, absent, as: "a miss among 1000 keys", pace),
          empty.reading(kind, absent, as: "a miss, all layers empty", pace),
        ], rounds: pace.rounds)
      findings.addComparison(kind.description, timings) { _ in .atMost(1) }
    }
  }
}
