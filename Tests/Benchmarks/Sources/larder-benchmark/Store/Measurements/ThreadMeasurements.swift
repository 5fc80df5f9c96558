import Foundation
import Preferences

/// Measures how reading scales with the number of threads.
enum ThreadMeasurements {
  static func measure(_ workspace: StoreWorkspace, _ findings: inout Findings) throws {
    let sample = SampleDomain(count: 1_000)
    let store = try workspace.open(sample, as: "threads").larder
    try store.check(sample)

    for kind in SampleDomain.Kind.allCases {
      Terminal.show("threads, \(kind.description)")
      let timings = try times(workspace, threads: [1, 2, 16], "Larder", of: kind, sample) { store }
      let name =
        kind == .longString ? "\(kind.description), the same for all" : kind.description
      findings.addComparison(name, timings) { timing in
        timing.name == timings[1].name && kind != .longString ? .atLeast(1.6) : nil
      } isLimit: { _ in
        true
      }
    }

    // The scaling of threads that share nothing on this machine.
    let timings = try times(workspace, threads: [1, 2], "Dictionary", of: .integer, sample) {
      PlainDictionary(sample)
    }
    findings.addComparison("Int, sharing nothing", timings, isLimit: { _ in true })
  }

  /// Measures several numbers of threads in turn.
  ///
  /// - Parameter reader: Returns the reader for a thread.
  private static func times(
    _ workspace: StoreWorkspace, threads counts: [Int], _ name: String, of kind: SampleDomain.Kind,
    _ sample: SampleDomain, _ reader: () -> some PreferencesReader & Sendable
  ) throws -> [Timing] {
    let contenders = counts.map { count in
      // Each thread has its own keys, so that threads do not contend for their reference counts.
      let works = (0..<count).map { _ in reader().work(kind, sample.keys(of: kind)) }
      return Contender("\(name), \(count) \(count == 1 ? "thread" : "threads")") {
        ThreadTeam.time(works, nanoseconds: workspace.isQuick ? 5e6 : 50e6)
          / Double(SampleDomain.rotation)
      }
    }
    return try takeTimes(of: contenders, rounds: workspace.pace.rounds)
  }
}

extension PreferencesReader where Self: Sendable {
  /// Returns the work that a thread repeats: reading each key once.
  @inline(__always)
  fileprivate func work(_ kind: SampleDomain.Kind, _ keys: [String]) -> @Sendable () -> Void {
    switch kind {
    case .integer: { for key in keys { consume(integer(forKey: key)) } }
    case .boolean: { for key in keys { consume(bool(forKey: key)) } }
    case .string, .longString: { for key in keys { consume(string(forKey: key)) } }
    }
  }
}
