import Foundation
import Preferences
import PropertyList

/// Measures setting many new keys, compared with Foundation, whose time grows with the square of
/// their number.
enum FillMeasurements {
  static func measure(_ workspace: StoreWorkspace, _ findings: inout Findings) throws {
    let rounds = workspace.isQuick ? 1 : 5
    for count in workspace.isQuick ? [500, 1_000] : [2_000, 4_000] {
      Terminal.show("fill, \(count) keys")
      let timings = try takeTimes(
        of: [larder(workspace, count), foundation(workspace, count)], rounds: rounds)
      findings.addComparison("\(count) keys", timings)
    }
    Terminal.show("fill, 100000 keys")
    let timings = try takeTimes(of: [larder(workspace, 100_000)], rounds: rounds)
    findings.add("100000 keys", timings[0], .atMost(1e9))
  }

  /// Returns a contender that fills a new domain and commits it outside the measured time.
  private static func larder(_ workspace: StoreWorkspace, _ count: Int) -> Contender {
    let keys = (0..<count).map(SampleDomain.key)
    var number = 0
    return Contender("Larder") {
      number += 1
      let store = try workspace.larder("org.example.fill-\(count)-\(number).larder")
      let time = Clock.wall.time {
        for (index, key) in keys.enumerated() { store.set(index, forKey: key) }
      }
      try store.flush()
      let saved = try workspace.savedValues(of: store.domain)
      try ensure(saved.count == count, "Larder has not committed \(count) keys")
      return time
    }
  }

  private static func foundation(_ workspace: StoreWorkspace, _ count: Int) -> Contender {
    let keys = (0..<count).map(SampleDomain.key)
    var number = 0
    return Contender("Foundation") {
      number += 1
      let defaults = try StoreWorkspace.foundation("org.example.fill-\(count)-\(number).foundation")
      let time = Clock.wall.time {
        for (index, key) in keys.enumerated() { defaults.set(index, forKey: key) }
      }
      guard defaults.integer(forKey: keys[count - 1]) == count - 1 else {
        throw BenchmarkError("Foundation has not set \(count) keys")
      }
      return time
    }
  }
}
