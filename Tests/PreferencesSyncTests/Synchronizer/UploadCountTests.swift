import FoundationEssentials
import PropertyList
import TestSupport
import Testing
import PreferencesSyncTesting

@testable import Preferences
@testable import PreferencesSync

@Suite("No more is uploaded than what was changed")
struct UploadCountTests {
  let remote = InMemoryRemoteStore()

  @Test("What came from elsewhere is not uploaded again, on however many machines")
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
    // Once more round, in case something is still under way.
    for machine in machines { try await machine.wait() }
    #expect(remote.counts.puts == 4)
    #expect(remote.counts.refusals == 0)
  }

  @Test("An observer hears of it once, as of any change")
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
    var heard: [PlistValue?] = []
    for await change in changes {
      heard.append(change.newValue)
      if change.newValue == "end" { break }
    }
    #expect(heard == [1, 2, "end"])
  }

  @Test("An observer that sets another key in answer does so once")
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

  @Test("A write of an equal value is no change, and what is taken back is one")
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

  @Test("A key that is changed rapidly is uploaded less often, and its last value always")
  func rapid() async throws {
    let machine = try Machine(remote, starts: false)
    machine.start(interval: .seconds(3600))
    try await machine.wait()
    for number in 1...2000 { machine.store.set(number, forKey: "k") }
    // Whatever was uploaded began the rest; only a wait ends that.
    try await machine.wait()
    #expect(try remote.value() == 2000)
    #expect(remote.counts.puts <= 2)
  }

  @Test("Without anybody who waits, the last value arrives after the rest")
  func rest() async throws {
    let (a, b) = (try Machine(remote, starts: false), try Machine(remote))
    a.start(interval: .milliseconds(5))
    for number in 1...200 { a.store.set(number, forKey: "k") }
    #expect(await eventually { b.value == 200 })
  }

  @Test("After a restart what is unchanged is not uploaded again")
  func restart() async throws {
    let machine = try Machine(remote)
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    for _ in 0..<3 {
      try machine.restart()
      try await machine.wait()
    }
    #expect(remote.counts.puts == 1)
    #expect(remote.counts.refusals == 0)
  }

  @Test("A put whose answer was lost is not repeated")
  func lostAnswer() async throws {
    let machine = try Machine(remote)
    try await machine.wait()
    remote.intercept { if $0 == .afterPut("k") { throw RemoteStoreError.unreachable } }
    machine.store.set(1, forKey: "k")
    #expect(await eventually { !machine.takeFailures().isEmpty })
    remote.intercept(nil)
    try await machine.wait()
    #expect(remote.counts.puts == 1)
    #expect(remote.counts.refusals == 0)
    #expect(try machine.remembered()?.isPending == false)
  }

  @Test("What the remote store has lost is put there again")
  func loss() async throws {
    let machine = try Machine(remote)
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    try machine.stop()
    let other = InMemoryRemoteStore()
    let synchronizer = PreferencesSynchronizer(
      store: machine.store, remote: other, stateFileAt: machine.queuePath)
    synchronizer.add(["k"])
    try await synchronizer.waitForCompletion()
    #expect(try other.record(forKey: "k") == remote.record(forKey: "k"))
  }

  @Test("Two machines that put at the same time agree", arguments: [true, false])
  func conflict(isLater: Bool) async throws {
    let (a, b) = (try Machine(remote), try Machine(remote))
    try await a.wait()
    try await b.wait()
    b.clock.set(isLater ? 1001 : 999)
    // The one's put waits until the other's has taken place.
    let gate = Gate()
    remote.intercept { [isFirst = Gate()] moment in
      guard moment == .beforePut("k") else { return }
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
    #expect(remote.counts.refusals == 1)
    #expect(remote.counts.puts == (isLater ? 1 : 2))
  }
}
