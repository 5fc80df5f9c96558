import Foundation
import Preferences

/// How much more work threads do that read at once.
enum ThreadMeasurements {
  static func measure(_ workplace: Workplace, _ table: inout Table) throws {
    let sample = SampleDomain(count: 1_000)
    let store = try workplace.open(sample, as: "threads").larder
    try store.check(sample)

    for kind in SampleDomain.Kind.allCases {
      Terminal.show("threads, \(kind.description)")
      let timings = try times(workplace, threads: [1, 2, 16], "Larder", of: kind, sample) { store }
      let name =
        kind == .longString ? "\(kind.description), the same for all" : kind.description
      table.add(name, timings[0])
      for timing in timings.dropFirst() {
        table.add(
          name, timing, ratio: timings[0].median / timing.median, "times the work of one",
          timing.name == timings[1].name && kind != .longString ? .atLeast(1.6) : nil)
      }
    }

    // How far threads can get on this machine that share nothing at all.
    let timings = try times(workplace, threads: [1, 2], "Dictionary", of: .integer, sample) {
      PlainDictionary(sample)
    }
    table.add("Int, sharing nothing", timings[0])
    table.add(
      "Int, sharing nothing", timings[1], ratio: timings[0].median / timings[1].median,
      "times the work of one")
  }

  /// Takes the times of some numbers of threads in turn.
  ///
  /// - Parameter reader: Gives what a thread reads from.
  private static func times(
    _ workplace: Workplace, threads counts: [Int], _ name: String, of kind: SampleDomain.Kind,
    _ sample: SampleDomain, _ reader: () -> some PreferencesReader & Sendable
  ) throws -> [Timing] {
    let contenders = counts.map { count in
      // Each thread has keys of its own, as their counts of references would be shared otherwise.
      let works = (0..<count).map { _ in reader().work(kind, sample.keys(of: kind)) }
      return Contender("\(name), \(count) \(count == 1 ? "thread" : "threads")") {
        ThreadTeam.time(works, nanoseconds: workplace.isQuick ? 5e6 : 50e6)
          / Double(SampleDomain.rotation)
      }
    }
    return try takeTimes(of: contenders, rounds: workplace.pace.rounds)
  }
}

extension PreferencesReader where Self: Sendable {
  /// What a thread does over and over: it reads each key once.
  @inline(__always)
  fileprivate func work(_ kind: SampleDomain.Kind, _ keys: [String]) -> @Sendable () -> Void {
    switch kind {
    case .integer: { for key in keys { consume(integer(forKey: key)) } }
    case .boolean: { for key in keys { consume(bool(forKey: key)) } }
    case .string, .longString: { for key in keys { consume(string(forKey: key)) } }
    }
  }
}
