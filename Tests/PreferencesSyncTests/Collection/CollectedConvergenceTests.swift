import Foundation
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@testable import Preferences
@testable import PreferencesSync

@Suite("Machines converge while removals are collected and clocks jump", .timeLimit(.minutes(5)))
struct CollectedConvergenceTests {
  private static let keys = ["a", "b", "c", "d"]

  /// The last value set by a machine that knew everything set before.
  private struct Expectation {
    var value: PlistValue?
    var count = 0
  }

  @Test("Random operations of machines, most of them away for long", arguments: 1...10)
  func random(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let (remote, registry) = (InMemoryRemoteStore(), InMemoryRemoteStore())
    let clock = Clock(1_000_000)
    var seconds = 1_000_000.0
    remote.setClock { clock.now }
    let machines = try (0..<5).map { _ in
      try Machine(remote, registry: registry, clock: Clock(seconds), starts: false)
    }
    var offsets = [Double](repeating: 0, count: machines.count)
    var running = Set<Int>()
    for _ in 0..<120 {
      let number = Int.random(in: 0..<machines.count, using: &generator)
      let machine = machines[number]
      let key = Self.keys.randomElement(using: &generator)!
      switch Int.random(in: 0..<16, using: &generator) {
      case 0..<3: machine.store.set(Int(generator.next() % 1000), forKey: key)
      case 3..<6: machine.store.removeObject(forKey: key)
      case 6, 7:
        // From minutes to months.
        seconds += [60, 3600, 86_400, 40 * 86_400, 100 * 86_400].randomElement(using: &generator)!
        clock.set(seconds)
        for (machine, offset) in zip(machines, offsets) { machine.clock.set(seconds + offset) }
      case 8:
        offsets[number] = [0, 0, 120, -120, 31_536_000, -31_536_000]
          .randomElement(using: &generator)!
        machine.clock.set(seconds + offsets[number])
      case 9, 10:
        if running.remove(number) != nil { try machine.stop() }
      case 11: remote.compact()
      default:
        if running.insert(number).inserted { machine.start(Self.keys) }
        try await machine.wait()
      }
    }
    for (number, machine) in machines.enumerated() where !running.contains(number) {
      machine.start(Self.keys)
    }
    for _ in 0..<3 { for machine in machines { try await machine.wait() } }
    for key in Self.keys {
      let value = try remote.value(key)
      for machine in machines {
        #expect(machine.store.plistValue(forKey: key) == value, "key \(key) of seed \(seed)")
      }
    }
    // A value that is set now wins regardless of the clocks.
    for (number, key) in Self.keys.enumerated() {
      let machine = machines[number]
      if number % 2 == 0 {
        machine.store.set("last", forKey: key)
      } else {
        machine.store.removeObject(forKey: key)
      }
      try await machine.wait()
      for other in machines { try await other.wait() }
      for other in machines {
        #expect(
          other.store.plistValue(forKey: key) == (number % 2 == 0 ? "last" : nil),
          "key \(key) of seed \(seed)")
      }
    }
    // In the end no records of removals remain.
    clock.set(seconds + 100_000_000)
    for machine in machines { machine.clock.set(seconds + 100_000_000) }
    for _ in 0..<3 { for machine in machines { try await machine.wait() } }
    let left = try await remote.entries().entries.map(\.key).sorted()
    #expect(left == ["a", "c"], "seed \(seed)")
    for machine in machines {
      for key in ["b", "d"] { #expect(try machine.savedEntry(key) == nil, "seed \(seed)") }
      try machine.stop()
    }
  }

  @Test(
    "What one machine sets or removes while others are away for long, all have", arguments: 1...8)
  func oneWriter(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let (remote, registry) = (InMemoryRemoteStore(), InMemoryRemoteStore())
    let clock = Clock(1_000_000)
    var seconds = 1_000_000.0
    remote.setClock { clock.now }
    let machines = try (0..<4).map { _ in
      try Machine(remote, registry: registry, clock: clock, starts: false)
    }
    for machine in machines {
      machine.start(Self.keys)
      try await machine.wait()
    }
    var expected: [String: Expectation] = [:]
    var running = Set(machines.indices)
    for step in 0..<60 {
      // A machine that is connected has seen all, so that its change is the last.
      let number = Int.random(in: 0..<machines.count, using: &generator)
      let machine = machines[number]
      if running.insert(number).inserted { machine.start(Self.keys) }
      try await machine.wait()
      for (key, expectation) in expected {
        #expect(
          machine.store.plistValue(forKey: key) == expectation.value,
          "key \(key) in step \(step) of seed \(seed)")
      }
      let key = Self.keys.randomElement(using: &generator)!
      let value: PlistValue? = Bool.random(using: &generator) ? .integer(Int64(step)) : nil
      machine.store.put(value, forKey: key)
      expected[key, default: Expectation()].value = value
      try await machine.wait()
      if Int.random(in: 0..<3, using: &generator) == 0 {
        running.remove(number)
        try machine.stop()
      }
      seconds += [1, 3600, 86_400, 50 * 86_400].randomElement(using: &generator)!
      clock.set(seconds)
    }
    for machine in machines { try machine.stop() }
  }
}
