import Foundation
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@testable import Preferences
@testable import PreferencesSync

@Suite("The records of removals are collected", .timeLimit(.minutes(5)))
struct CollectionTests {
  private static let day = 86_400.0
  let remote = InMemoryRemoteStore()
  let registry = InMemoryRemoteStore()
  /// The clock of the remote store and of all machines.
  let clock = Clock(1_000_000)

  init() {
    remote.setClock { [clock] in clock.now }
  }

  private func machine(starts: Bool = true) throws -> Machine {
    try Machine(remote, registry: registry, clock: clock, starts: starts)
  }

  private func pass(_ seconds: Double) {
    clock.set(clock.now.timeIntervalSinceReferenceDate + seconds)
  }

  /// Expects that a machine has reported nothing but that its clock has jumped, which it notices if it
  /// works between that and the next answer of the remote store.
  private func expectNoFailures(
    of machine: Machine, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let failures = machine.takeFailures().filter { !$0.hasPrefix("the clock of this machine is ") }
    #expect(failures == [], sourceLocation: sourceLocation)
  }

  /// The keys with a record in the remote store.
  private func remoteKeys() async throws -> [String] {
    try await remote.entries().entries.map(\.key).sorted()
  }

  private func registryKeys() async throws -> [String] {
    try await registry.entries().entries.map(\.key)
  }

  /// Sets and removes the key on a machine that the others have seen.
  private func setAndRemove(_ first: Machine, _ others: Machine...) async throws {
    first.store.set(1, forKey: "k")
    try await first.wait()
    for other in others { try await other.wait() }
    first.store.removeObject(forKey: "k")
    try await first.wait()
  }

  @Test("A machine keeps its mark, also if no key has changed")
  func kept() async throws {
    let machine = try machine()
    try await machine.wait()
    let marks = try await registry.entries().entries.filter { $0.key.hasPrefix("machine/") }
    #expect(marks.count == 1)
    try machine.restart()
    try await machine.wait()
    #expect(
      try await registry.entries().entries.filter { $0.key.hasPrefix("machine/") } == marks)
    expectNoFailures(of: machine)
  }

  /// Two machines that have a value. The second one has stopped.
  private func machinesWithOneAway() async throws -> (Machine, Machine) {
    let (a, b) = (try machine(), try machine())
    a.store.set(1, forKey: "k")
    try await a.wait()
    try await b.wait()
    try b.stop()
    return (a, b)
  }

  /// A machine with a value of the key "l", after the removal of "k" was collected.
  private func machineAfterCollection() async throws -> Machine {
    let machine = try machine()
    machine.start(["k", "l"])
    machine.store.set("value", forKey: "l")
    try await setAndRemove(machine)
    pass(3600)
    for _ in 0..<3 { try await machine.wait() }
    #expect(try await remoteKeys() == ["l"])
    return machine
  }

  @Test("Once all machines have seen a removal, neither the cluster nor a state file knows it")
  func seenByAll() async throws {
    let (a, b) = (try machine(), try machine())
    try await setAndRemove(a, b)

    try await b.wait()
    #expect(b.value == nil)
    #expect(try await remoteKeys() == ["k"])
    // Both note what they have seen. The record is old enough then.
    pass(3600)
    for _ in 0..<2 { for machine in [a, b] { try await machine.wait() } }
    #expect(try await remoteKeys() == [])
    for machine in [a, b] {
      try await machine.wait()
      #expect(try machine.savedEntry() == nil)
      #expect(try machine.store.stampedValues().stamps.stamp(forKey: "k") == nil)
      expectNoFailures(of: machine)
    }
    // A later value is not delayed.
    b.store.set(2, forKey: "k")
    try await b.wait()
    try await a.wait()
    #expect(a.value == 2)
  }

  @Test("A recent removal stays, so that a clock that is behind cannot set an earlier value")
  func recent() async throws {
    let a = try machine()
    try await setAndRemove(a)
    pass(599)
    for _ in 0..<3 { try await a.wait() }
    #expect(try await remoteKeys() == ["k"])
    pass(2)
    for _ in 0..<2 { try await a.wait() }
    #expect(try await remoteKeys() == [])
  }

  @Test("A machine that is away is waited for, for a month")
  func absentMachine() async throws {
    let (a, b) = try await machinesWithOneAway()
    a.store.removeObject(forKey: "k")
    try await a.wait()
    pass(29 * Self.day)
    for _ in 0..<3 { try await a.wait() }
    #expect(try await remoteKeys() == ["k"])
    #expect(try await registryKeys().count == 3)
    pass(2 * Self.day)
    for _ in 0..<3 { try await a.wait() }
    #expect(try await remoteKeys() == [])
    // Its mark stays for a year.
    #expect(try await registryKeys().count == 3)
    pass(335 * Self.day)
    try await a.wait()
    #expect(try await registryKeys().count == 2)

    // It returns, and does not bring the value back.
    b.start()
    try await b.wait()
    #expect(b.value == nil)
    #expect(try await remoteKeys() == [])
    #expect(try b.savedEntry() == nil)
    #expect(try await registryKeys().count == 3)
    expectNoFailures(of: b)
  }

  @Test("A change made away is kept, also over a removal that was collected")
  func pendingChange() async throws {
    let (a, b) = try await machinesWithOneAway()
    b.store.set("kept", forKey: "k")
    try await b.store.flush()
    pass(10)
    a.store.removeObject(forKey: "k")
    try await a.wait()
    pass(40 * Self.day)
    for _ in 0..<3 { try await a.wait() }
    #expect(try await remoteKeys() == [])
    b.start()
    try await b.wait()
    #expect(b.value == "kept")
    try await a.wait()
    #expect(a.value == "kept")
  }

  @Test("A change made away wins over a removal that a third machine still knows")
  func knownRemoval() async throws {
    let (a, b, c) = (try machine(), try machine(), try machine())
    a.store.set(1, forKey: "k")
    for machine in [a, b, c] { try await machine.wait() }
    try b.stop()
    b.store.set("kept", forKey: "k")
    try await b.store.flush()
    try FileManager.default.setAttributes(
      [.modificationDate: clock.now], ofItemAtPath: b.folder.path("store.plist"))
    pass(10)
    a.store.removeObject(forKey: "k")
    try await a.wait()
    try await c.wait()
    try c.stop()
    pass(40 * Self.day)
    for _ in 0..<3 { try await a.wait() }
    #expect(try await remoteKeys() == [])
    b.start()
    try await b.wait()
    c.start()
    for machine in [c, a, b] { try await machine.wait() }
    for machine in [a, b, c] { #expect(machine.value == "kept") }
  }

  @Test("An old removal is collected even if a machine that is known has not seen it")
  func oldRemoval() async throws {
    let (a, b) = (try machine(), try machine())
    var options = PreferencesSynchronizer.Options()
    options.machineLifetime = .seconds(1000 * Self.day)
    a.store.set(1, forKey: "k")
    try await a.wait()
    try await b.wait()
    try b.stop()
    a.store.removeObject(forKey: "k")
    try await a.wait()
    let collector = RemovalCollector(
      remote: remote, registry: Registry(registry), options: options)
    pass(89 * Self.day)
    try await collector.collectIfDue(at: clock.now)
    #expect(try await remoteKeys() == ["k"])
    pass(2 * Self.day)
    try await collector.collectIfDue(at: clock.now)
    #expect(try await remoteKeys() == [])
    b.start()
    try await b.wait()
    #expect(b.value == nil)
    try await a.wait()
    #expect(try a.savedEntry() == nil)
    #expect(try await remoteKeys() == [])
  }

  @Test("One machine collects in an interval")
  func interval() async throws {
    let a = try machine()
    try await setAndRemove(a)
    // Its mark includes the removal.
    try await a.wait()
    pass(3600)
    // Another machine has just checked.
    let old = try await Registry(registry).collected()
    var removals = try #require(old.removals)
    removals.checkDate = clock.now
    #expect(try await Registry(registry).replace(old, with: removals) != nil)
    var collector = RemovalCollector(
      remote: remote, registry: Registry(registry), options: PreferencesSynchronizer.Options())
    let snapshots = remote.counts.snapshots
    try await collector.collectIfDue(at: clock.now)
    pass(23 * 3600)
    try await collector.collectIfDue(at: clock.now)
    #expect(remote.counts.snapshots == snapshots)
    pass(2 * 3600)
    collector = RemovalCollector(
      remote: remote, registry: Registry(registry), options: PreferencesSynchronizer.Options())
    try await collector.collectIfDue(at: clock.now)
    #expect(remote.counts.snapshots == snapshots + 1)
    #expect(try await remoteKeys() == [])
  }

  @Test("Without a registry removals are kept, and entries that are gone are uploaded again")
  func withoutRegistry() async throws {
    let a = try Machine(remote, clock: clock)
    try await setAndRemove(a)
    pass(1000 * Self.day)
    try await a.wait()
    #expect(try await remoteKeys() == ["k"])
    let entry = try #require(try await remote.entries().entries.first)
    _ = try await remote.removeEntry(forKey: "k", replacing: entry.revision)
    try await a.wait()
    #expect(try await remoteKeys() == ["k"])
  }

  @Test("An entry that somebody else removes is uploaded again, by machines that saw it")
  func foreignRemoval() async throws {
    let a = try await machineAfterCollection()
    let entry = try #require(try await remote.entries().entries.first)
    _ = try await remote.removeEntry(forKey: "l", replacing: entry.revision)
    #expect(try await eventually { try remote.value("l") == "value" })
    #expect(a.store.string(forKey: "l") == "value")
  }

  @Test("A cluster that is set up anew gets all values again")
  func newCluster() async throws {
    let a = try await machineAfterCollection()
    try a.stop()
    for store in [remote, registry] {
      let entries = try await store.entries().entries
      _ = try await store.apply(
        entries.map { RemoteChange(key: $0.key, data: nil, replacing: $0.revision) })
    }
    a.start(["k", "l"])
    try await a.wait()
    #expect(try remote.value("l") == "value")
    #expect(a.store.string(forKey: "l") == "value")
  }

  @Test("Another remote store with the same registry, which has come less far, removes nothing")
  func otherStore() async throws {
    let a = try await machineAfterCollection()
    try a.stop()
    let (other, registry) = (InMemoryRemoteStore(), registry)
    let synchronizer = PreferencesSynchronizer(
      store: a.store, remote: other, registry: registry, stateFileAt: a.stateFilePath)
    synchronizer.add(["k", "l"])
    try await synchronizer.waitForCompletion()
    #expect(a.store.string(forKey: "l") == "value")
    #expect(try other.value("l") == "value")
    synchronizer.cancel()
  }

  @Test("A machine that is idle does not write marks")
  func idle() async throws {
    let a = try machine()
    a.store.set(1, forKey: "k")
    for _ in 0..<3 { try await a.wait() }
    let marks = { [registry] () async throws in
      try await Registry(registry).marks().map(\.entry.revision)
    }
    let before = try await marks()
    #expect(before.count == 1)
    for _ in 0..<5 { try await a.wait() }
    #expect(try await marks() == before)
    // But it reports that it exists.
    pass(8 * Self.day)
    try await a.wait()
    #expect(try await marks() != before)
  }

  @Test("A registry that fails or holds something else is reported, and values go on")
  func invalidRegistry() async throws {
    let a = try machine()
    try await a.wait()
    registry.intercept { point in
      if case .beforePut(let key) = point, key.hasPrefix("machine/") {
        throw RemoteStoreError.unreachable
      }
    }
    a.store.set(1, forKey: "k")
    try await a.wait()
    // The mark is due once the stream has the new record.
    #expect(await eventually { a.takeFailures().contains("the remote store cannot be reached") })
    #expect(try remote.value() == 1)
    registry.intercept(nil)
    let present = try await registry.entries().entries.first { $0.key == "collected" }
    _ = try await registry.put(
      Data("nonsense".utf8), forKey: "collected", replacing: present?.revision ?? 0)
    a.synchronizer.synchronize()
    a.store.set(2, forKey: "k")
    #expect(
      await eventually {
        a.takeFailures().contains(
          "the registry of machines holds an invalid entry collected; expected one of a "
            + "synchronizer")
      })
    #expect(a.value == 2)
    // A machine that connects now cannot tell a removal from a value that was never uploaded.
    let b = try machine(starts: false)
    b.store.set(3, forKey: "l")
    b.start(["k", "l"])
    await #expect(throws: CancellationError.self) {
      let waiter = Task { try await b.wait() }
      #expect(
        await eventually {
          b.takeFailures().contains { $0.contains("holds an invalid entry collected") }
        })
      waiter.cancel()
      try await waiter.value
    }
    #expect(b.store.plistRepresentation == ["l": 3])
    let broken = try await registry.entries().entries.first { $0.key == "collected" }
    _ = try await registry.removeEntry(
      forKey: "collected", replacing: try #require(broken).revision)
    try await b.wait()
    #expect(b.store.plistRepresentation == ["k": 2, "l": 3])
  }
}
