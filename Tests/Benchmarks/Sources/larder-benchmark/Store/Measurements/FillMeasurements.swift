import Foundation
import Preferences
import PropertyList

/// How long it takes to set many keys that a domain has not had, beside Foundation, for which that
/// grows with the square of their number.
enum FillMeasurements {
  static func measure(_ workplace: Workplace, _ table: inout Table) throws {
    let rounds = workplace.isQuick ? 1 : 5
    for count in workplace.isQuick ? [500, 1_000] : [2_000, 4_000] {
      Terminal.show("fill, \(count) keys")
      let timings = try takeTimes(
        of: [larder(workplace, count), foundation(workplace, count)], rounds: rounds)
      table.add("\(count) keys", timings[0])
      table.add(
        "\(count) keys", timings[1], ratio: timings[1].median / timings[0].median,
        "Foundation / Larder")
    }
    Terminal.show("fill, 100000 keys")
    let timings = try takeTimes(of: [larder(workplace, 100_000)], rounds: rounds)
    table.add("100000 keys", timings[0], "median", within: 1e9)
  }

  /// Fills a new domain, and saves it when the time is taken.
  private static func larder(_ workplace: Workplace, _ count: Int) -> Contender {
    let keys = (0..<count).map(SampleDomain.key)
    var number = 0
    return Contender("Larder") {
      number += 1
      let store = try workplace.larder("org.example.fill-\(count)-\(number).larder")
      let time = Clock.wall.time {
        for (index, key) in keys.enumerated() { store.set(index, forKey: key) }
      }
      try store.flush()
      let saved = try workplace.savedValues(of: store.domain)
      try ensure(saved.count == count, "Larder has not saved \(count) keys")
      return time
    }
  }

  private static func foundation(_ workplace: Workplace, _ count: Int) -> Contender {
    let keys = (0..<count).map(SampleDomain.key)
    var number = 0
    return Contender("Foundation") {
      number += 1
      let defaults = try Workplace.foundation("org.example.fill-\(count)-\(number).foundation")
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
