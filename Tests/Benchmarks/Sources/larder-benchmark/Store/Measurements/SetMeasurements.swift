import Foundation
import Preferences
import PropertyList

/// Measures setting a key that already has a value, compared with Foundation.
enum SetMeasurements {
  static func measure(_ workspace: StoreWorkspace, _ findings: inout Findings) throws {
    for count in [40, 1_000] {
      let sample = SampleDomain(count: count)
      let (larder, foundation) = try workspace.open(sample, as: "set-\(count)")
      try larder.check(sample)
      try foundation.check(sample)

      Terminal.show("set, \(count) keys")
      let integers = sample.keys(of: .integer)
      try compare(
        "Int, \(count) keys", workspace, &findings,
        larder: setting(integers, Numbers()) { larder.set($0, forKey: $1) },
        foundation: setting(integers, Numbers()) { foundation.set($0, forKey: $1) })
      let strings = sample.keys(of: .string)
      try compare(
        "String of 10, \(count) keys", workspace, &findings,
        larder: setting(strings, Strings()) { larder.set($0, forKey: $1) },
        foundation: setting(strings, Strings()) { foundation.set($0, forKey: $1) })

      larder.set(-count, forKey: SampleDomain.Kind.integer.fixedKey)
      try larder.flush()
      guard foundation.synchronize() else { throw BenchmarkError("Foundation cannot save") }
      let saved = try workspace.savedValues(of: larder.domain)
      try ensure(
        saved[SampleDomain.Kind.integer.fixedKey] == .integer(Int64(-count))
          && saved.count == count, "Larder has not committed the value")
    }
  }

  private static func compare(
    _ name: String, _ workspace: StoreWorkspace, _ findings: inout Findings,
    larder: @escaping (Int) -> Void, foundation: @escaping (Int) -> Void
  ) throws {
    let timings = try takeTimes(
      of: [
        .repeated("Larder", workspace.pace, larder),
        .repeated("Foundation", workspace.pace, foundation),
      ], rounds: workspace.pace.rounds)
    findings.addComparison(name, timings) { _ in .atLeast(20) }
  }

  /// Returns a function that sets one key after another in rotation, each to a value other than its
  /// last.
  @inline(__always)
  private static func setting<Values: ValueSource>(
    _ keys: [String], _ values: Values, _ set: @escaping (Values.Value, String) -> Void
  ) -> (Int) -> Void {
    var values = values
    return { count in rotate(keys, count) { set(values.next(), $0) } }
  }
}

/// A source of values without repetitions within a rotation of keys.
private protocol ValueSource<Value> {
  associatedtype Value
  mutating func next() -> Value
}

private struct Numbers: ValueSource {
  private var last = 1_000_000

  mutating func next() -> Int {
    last &+= 1
    return last
  }
}

private struct Strings: ValueSource {
  // One more than the number of keys, so that each key gets a different value the next time.
  private let strings = (0...SampleDomain.rotation).map { SampleDomain.string($0 * 7) }
  private var index = 0

  mutating func next() -> String {
    index = index == strings.count - 1 ? 0 : index + 1
    return strings[index]
  }
}
