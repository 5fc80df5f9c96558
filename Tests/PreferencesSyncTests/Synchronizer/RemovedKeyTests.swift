import FoundationEssentials
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@testable import Preferences
@testable import PreferencesSync

@Suite("A removed key is no longer synchronized")
struct RemovedKeyTests {
  let remote = InMemoryRemoteStore()

  @Test("Nothing is uploaded or stored", arguments: [true, false])
  func removal(ofAll: Bool) async throws {
    let machine = try Machine(remote, starts: false)
    machine.start(["k", "l"])
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    if ofAll { machine.synchronizer.removeAll() } else { machine.synchronizer.remove(["k"]) }
    #expect(machine.synchronizer.keys == (ofAll ? [] : ["l"]))
    machine.store.set(2, forKey: "k")
    try await machine.wait()
    try await remote.put(3, at: 9000)
    try await machine.wait()
    #expect(machine.value == 2)
    #expect(remote.counts.puts == 2)
    #expect(try machine.savedEntry() == nil)
  }

  @Test("The end of the stream of changes is no failure when all keys are removed")
  func removalOfAll() async throws {
    let machine = try Machine(remote)
    for round in 1...50 {
      machine.store.set(.integer(Int64(round)), forKey: "k")
      try await machine.wait()
      machine.synchronizer.removeAll()
      try await machine.wait()
      machine.synchronizer.add(["k"])
    }
    try await machine.wait()
    #expect(machine.takeFailures() == [])
    #expect(remote.counts.streams == 51)
  }

  @Test("A pending upload is discarded")
  func pendingUpload() async throws {
    let machine = try Machine(remote)
    try await machine.wait()
    remote.isReachable = false
    machine.store.set(1, forKey: "k")
    #expect(try await eventually { try machine.savedEntry() != nil })
    machine.synchronizer.remove(["k"])
    remote.isReachable = true
    try await machine.wait()
    try machine.restart()
    try await remote.put(2, at: 1)
    try await machine.wait()
    #expect(machine.value == 2)
    #expect(remote.counts.puts == 1)
  }

  @Test("The result of a put in progress is ignored")
  func putInProgress() async throws {
    let machine = try Machine(remote)
    try await machine.wait()
    try await remote.put("there", at: 9000)
    try await machine.wait()
    let gate = Gate()
    remote.intercept { if $0 == .beforePut("k") { await gate.pass() } }
    machine.store.set("here", forKey: "k")
    #expect(await eventually { gate.arrivals == 1 })
    // Otherwise it would conflict, and the value of the other machine be stored.
    remote.intercept(nil)
    try await remote.put("other", at: 9999)
    machine.synchronizer.remove(["k"])
    gate.open()
    try await machine.wait()
    #expect(machine.value == "here")
    #expect(try remote.value() == "other")
    #expect(try machine.savedEntry() == nil)
  }

  @Test("The state of an earlier run is discarded, even before the worker has seen the key")
  func earlierRun() async throws {
    let machine = try Machine(remote)
    machine.store.set("old", forKey: "k")
    try await machine.wait()
    try machine.stop()
    machine.store.set("here", forKey: "k")
    machine.start([])
    machine.synchronizer.add(["k"])
    machine.synchronizer.remove(["k"])
    try await machine.wait()
    #expect(try machine.savedEntry() == nil)
    machine.synchronizer.add(["k"])
    try await machine.wait()
    #expect(machine.value == "old")
    #expect(remote.counts.puts == 1)
  }

  @Test("The values of a snapshot in progress are not stored")
  func snapshotInProgress() async throws {
    try await remote.put("there", at: 9000)
    let gate = Gate()
    remote.intercept { if $0 == .beforeSnapshot { await gate.pass() } }
    let machine = try Machine(remote)
    #expect(await eventually { gate.arrivals == 1 })
    machine.synchronizer.remove(["k"])
    gate.open()
    try await machine.wait()
    #expect(machine.value == nil)
  }

  @Test("It can be added again, and starts from scratch")
  func again() async throws {
    let machine = try Machine(remote)
    machine.store.set("old", forKey: "k")
    try await machine.wait()
    machine.synchronizer.remove(["k"])
    machine.store.set("here", forKey: "k")
    machine.synchronizer.add(["k"])
    try await machine.wait()
    #expect(machine.value == "old")
    machine.store.set("new", forKey: "k")
    try await machine.wait()
    #expect(try remote.value() == "new")
    #expect(remote.counts.puts == 2)
  }
}
