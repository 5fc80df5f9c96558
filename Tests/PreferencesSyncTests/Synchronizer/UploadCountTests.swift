import FoundationEssentials
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@testable import Preferences
@testable import PreferencesSync

@Suite("Only changes are uploaded")
struct UploadCountTests {
  let remote = InMemoryRemoteStore()

  @Test("A remote value is not uploaded again, on any number of machines")
  func echo() async throws {
    let machines = try machines(5, remote)
    for number in 1...4 {
      let machine = machines[number % 5]
      machine.store.set(number, forKey: "k")
      try await machine.wait()
      for machine in machines {
        try await machine.wait()
        #expect(machine.value == .integer(Int64(number)))
      }
    }
    // One more round, in case an upload is still in progress.
    for machine in machines { try await machine.wait() }
    #expect(remote.counts.puts == 4)
    #expect(remote.counts.conflicts == 0)
  }

  @Test("Observers are notified once of each remote change")
  func observer() async throws {
    let (a, b) = (try Machine(remote), try Machine(remote))
    try await b.wait()
    let changes = b.store.changes(forKey: "k")
    a.store.set(1, forKey: "k")
    try await a.wait()
    try await b.wait()
    a.store.set(2, forKey: "k")
    try await a.wait()
    try await b.wait()
    b.store.set("end", forKey: "k")
    var values: [PlistValue?] = []
    for await change in changes {
      values.append(change.newValue)
      if change.newValue == "end" { break }
    }
    #expect(values == [1, 2, "end"])
  }

  @Test("An observer that sets another key in response does so once")
  func answer() async throws {
    let (a, b) = (try Machine(remote), try Machine(remote))
    for machine in [a, b] {
      machine.synchronizer.add(["answer"])
      try await machine.wait()
    }
    let token = b.store.observe("k") { [store = b.store] change in
      store.set(change.newValue, forKey: "answer")
    }
    a.store.set(1, forKey: "k")
    try await a.wait()
    for _ in 0..<2 { for machine in [a, b] { try await machine.wait() } }
    #expect(a.store.integer(forKey: "answer") == 1)
    #expect(remote.counts.puts == 2)
    withExtendedLifetime(token) {}
  }

  @Test("Setting an equal value is not a change, setting an earlier value is")
  func equal() async throws {
    let machine = try Machine(remote)
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    #expect(remote.counts.puts == 1)
    machine.store.set(2, forKey: "k")
    try await machine.wait()
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    #expect(remote.counts.puts == 3)
    #expect(try remote.value() == 1)
  }

  @Test("Rapid changes are coalesced, and the last value is uploaded")
  func rapid() async throws {
    let machine = try Machine(remote, starts: false)
    machine.start(interval: .seconds(3600))
    try await machine.wait()
    for number in 1...2000 { machine.store.set(number, forKey: "k") }
    // The first upload starts a pause, which only a wait ends.
    try await machine.wait()
    #expect(try remote.value() == 2000)
    #expect(remote.counts.puts <= 2)
  }

  @Test("The last value is uploaded after the pause without a wait")
  func pause() async throws {
    let (a, b) = (try Machine(remote, starts: false), try Machine(remote))
    a.start(interval: .milliseconds(5))
    for number in 1...200 { a.store.set(number, forKey: "k") }
    #expect(await eventually { b.value == 200 })
  }

  @Test("Unchanged values are not uploaded again after a restart")
  func restart() async throws {
    let machine = try Machine(remote)
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    for _ in 0..<3 {
      try machine.restart()
      try await machine.wait()
    }
    #expect(remote.counts.puts == 1)
    #expect(remote.counts.conflicts == 0)
  }

  @Test("A put whose response was lost is not repeated")
  func lostResponse() async throws {
    let machine = try Machine(remote)
    try await machine.wait()
    remote.intercept { if $0 == .afterPut("k") { throw RemoteStoreError.unreachable } }
    machine.store.set(1, forKey: "k")
    #expect(await eventually { !machine.takeFailures().isEmpty })
    remote.intercept(nil)
    try await machine.wait()
    #expect(remote.counts.puts == 1)
    #expect(remote.counts.conflicts == 0)
    #expect(try machine.savedEntry()?.isPending == false)
  }

  @Test("Values that the remote store has lost are uploaded again")
  func loss() async throws {
    let machine = try Machine(remote)
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    try machine.stop()
    let other = InMemoryRemoteStore()
    let synchronizer = PreferencesSynchronizer(
      store: machine.store, remote: other, stateFileAt: machine.stateFilePath)
    synchronizer.add(["k"])
    try await synchronizer.waitForCompletion()
    #expect(try other.record(forKey: "k") == remote.record(forKey: "k"))
  }

  @Test("Two machines with concurrent puts agree", arguments: [true, false])
  func conflict(isLater: Bool) async throws {
    let (a, b) = (try Machine(remote), try Machine(remote))
    try await a.wait()
    try await b.wait()
    b.clock.set(isLater ? 1001 : 999)
    // The put of one machine waits for the other's.
    let gate = Gate()
    remote.intercept { [isFirst = Gate()] point in
      guard point == .beforePut("k") else { return }
      if isFirst.arrivals == 0 {
        isFirst.open()
        await isFirst.pass()
        await gate.pass()
      }
    }
    a.store.set("a", forKey: "k")
    #expect(await eventually { gate.arrivals == 1 })
    b.store.set("b", forKey: "k")
    try await b.wait()
    gate.open()
    try await a.wait()
    try await b.wait()
    #expect(a.value == (isLater ? "b" : "a"))
    #expect(b.value == a.value)
    #expect(remote.counts.conflicts == 1)
    #expect(remote.counts.puts == (isLater ? 1 : 2))
  }
}
