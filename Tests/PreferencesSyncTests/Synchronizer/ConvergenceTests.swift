import Foundation
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@testable import Preferences
@testable import PreferencesSync

@Suite("Machines converge, however they change values, disconnect and restart")
struct ConvergenceTests {
  @Test("Random operations with differing clocks", arguments: 1...UInt64(TestScale.count(20)))
  func random(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let remote = InMemoryRemoteStore()
    let keys = ["a", "b", "c"]
    let machines = try (0..<4).map { number in
      try Machine(remote, clock: Clock(1000 + Double(number) * 250), starts: false)
    }
    for machine in machines { machine.start(keys) }
    let values: [PlistValue?] = [1, 2, "x", 1.0, .float(1), true, [1, "a"], ["n": 1], nil, nil]
    var seconds = 2000.0
    for _ in 0..<150 {
      let machine = machines.randomElement(using: &generator)!
      let key = keys.randomElement(using: &generator)!
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<11:
        machine.store.put(values.randomElement(using: &generator)!, forKey: key)
      case 11, 12:
        // Also sets clocks back, and several machines to the same time.
        seconds += Double.random(in: -20...30, using: &generator).rounded()
        machine.clock.set(seconds)
      case 13: remote.isReachable.toggle()
      case 14: try machine.restart(keys)
      case 15: remote.compact()
      case 16: machine.synchronizer.synchronize()
      case 17:
        let isLost = Bool.random(using: &generator)
        remote.intercept { point in
          if case .afterPut = point, isLost { throw RemoteStoreError.unreachable }
        }
      default:
        if remote.isReachable {
          remote.intercept(nil)
          try await machine.wait()
        }
      }
    }
    remote.intercept(nil)
    remote.isReachable = true
    // The first round uploads, the second one downloads.
    for _ in 0..<2 { for machine in machines { try await machine.wait() } }

    for key in keys {
      let value = try remote.value(key)
      for machine in machines {
        #expect(machine.store.plistValue(forKey: key) == value)
        let entry = try machine.savedEntry(key)
        #expect(entry?.record == (try remote.record(forKey: key)))
        #expect(entry?.isPending != true)
        #expect(entry?.replaced == nil)
      }
    }
    let puts = remote.counts.puts
    for machine in machines { try await machine.wait() }
    #expect(remote.counts.puts == puts)
  }

  @Test("Threads that write at full speed while remote values arrive")
  func threads() async throws {
    let remote = InMemoryRemoteStore()
    let machines = try machines(3, remote)
    for machine in machines { try await machine.wait() }
    await withTaskGroup(of: Void.self) { group in
      for (index, machine) in machines.enumerated() {
        group.addTask {
          for number in 0..<400 {
            machine.store.set(index * 1000 + number, forKey: "k")
            await Task.yield()
          }
        }
      }
    }
    for _ in 0..<2 { for machine in machines { try await machine.wait() } }
    let value = try #require(try remote.value())
    for machine in machines { #expect(machine.value == value) }
    // It is the last value of one of the machines.
    #expect([399, 1399, 2399].contains(value))
  }
}
