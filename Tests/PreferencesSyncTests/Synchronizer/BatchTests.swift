import FoundationEssentials
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@testable import Preferences
@testable import PreferencesSync

@Suite("Records are uploaded in batches", .timeLimit(.minutes(10)))
struct BatchTests {
  let remote = InMemoryRemoteStore()

  @Test("Many pending records take few calls")
  func calls() async throws {
    let keys = (0..<1200).map { "k\($0)" }
    let machine = try Machine(remote, starts: false)
    for key in keys { machine.store.set(key, forKey: key) }
    machine.start(keys)
    try await machine.wait()
    #expect(remote.counts.puts == 1200)
    #expect(remote.counts.batches == 3)
    for key in keys { #expect(try remote.value(key) == .string(key)) }
  }

  @Test("A record that conflicts and wins is uploaded again, without the others of its batch")
  func conflict() async throws {
    let keys = (0..<10).map { "k\($0)" }
    let machine = try Machine(remote, starts: false)
    machine.start(keys)
    try await machine.wait()
    remote.isReachable = false
    for key in keys { machine.store.set("here", forKey: key) }
    // Other machines put records between the snapshot and the upload.
    remote.intercept { [remote] point in
      guard point == .beforePut("k0") else { return }
      remote.intercept(nil)
      try await remote.put("earlier", at: 1, forKey: "k3")
      try await remote.put("later", at: 9000, forKey: "k7")
    }
    remote.isReachable = true
    try await machine.wait()
    for key in keys {
      let expected: PlistValue = key == "k7" ? "later" : "here"
      #expect(try remote.value(key) == expected)
      #expect(machine.store.plistValue(forKey: key) == expected)
    }
    #expect(remote.counts.conflicts == 2)
  }

  @Test("An entry that was removed from the remote store is uploaded again, once")
  func removal() async throws {
    let machines = try machines(2, remote)
    machines[0].store.set("here", forKey: "k")
    for machine in machines { try await machine.wait() }
    let entry = try #require(try await remote.entries().entries.first)
    _ = try await remote.removeEntry(forKey: "k", replacing: entry.revision)
    #expect(try await eventually { try remote.value() == "here" })
    for machine in machines {
      try await machine.wait()
      #expect(machine.value == "here")
    }
    #expect(remote.counts.removals == 1)
    #expect(remote.counts.puts == 2)
  }
}
