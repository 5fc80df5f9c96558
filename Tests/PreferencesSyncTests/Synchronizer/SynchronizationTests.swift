import FoundationEssentials
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@testable import Preferences
@testable import PreferencesSync

@Suite("Changes of one machine reach the others")
struct SynchronizationTests {
  let remote = InMemoryRemoteStore()

  @Test("Values of every kind", arguments: SyncRecordTests.values)
  func values(value: PlistValue?) async throws {
    let (a, b) = (try Machine(remote), try Machine(remote))
    a.store.set("before", forKey: "k")
    try await a.wait()
    try await b.wait()
    #expect(b.value == "before")
    a.store.put(value, forKey: "k")
    try await a.wait()
    try await b.wait()
    #expect(b.value == value)
    #expect(a.value == value)
    // The file has the value as well.
    #expect(PreferencesStore(fileAt: b.folder.path("store.plist")).plistValue(forKey: "k") == value)
  }

  @Test("A remote change arrives without a call")
  func stream() async throws {
    let (a, b) = (try Machine(remote), try Machine(remote))
    try await b.wait()
    let changes = b.store.changes(forKey: "k")
    a.store.set(1, forKey: "k")
    for await change in changes {
      #expect(change == PreferencesChange(key: "k", oldValue: nil, newValue: 1))
      break
    }
    a.store.removeObject(forKey: "k")
    #expect(await eventually { b.value == nil })
  }

  @Test("A removal is a change, and removed values do not come back")
  func removal() async throws {
    let machines = try machines(3, remote)
    machines[0].store.set(1, forKey: "k")
    try await machines[0].wait()
    for machine in machines { try await machine.wait() }
    machines[1].store.removeObject(forKey: "k")
    try await machines[1].wait()
    for machine in machines {
      try await machine.wait()
      #expect(machine.value == nil)
      try machine.restart()
      try await machine.wait()
      #expect(machine.value == nil)
    }
    let record = try #require(try remote.record(forKey: "k"))
    #expect(record.value == nil)
    #expect(remote.counts.puts == 2)
  }

  @Test("Registered defaults are not uploaded, own values equal to them are")
  func registration() async throws {
    let machine = try Machine(remote)
    machine.store.register(defaults: ["k": 1])
    try await machine.wait()
    #expect(remote.counts.puts == 0)
    // Observers are not notified, since the effective value stays the same.
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    #expect(try remote.value() == 1)
    machine.store.removeObject(forKey: "k")
    try await machine.wait()
    #expect(try remote.record(forKey: "k")?.value == nil)
    #expect(remote.counts.puts == 2)
    #expect(machine.value == 1)
  }

  @Test("Values overridden on the command line are synchronized")
  func arguments() async throws {
    let (a, b) = (try Machine(remote, starts: false), try Machine(remote))
    var options = PreferencesStore.Options()
    options.locations = DomainLocations(within: a.folder.path)
    options.arguments = ["program", "-k", "hidden"]
    options.usesPrivateRegistrationDomain = true
    let store = try PreferencesStore(domain: "org.example.app", options: options)
    a.start(store: store)
    try await a.wait()
    #expect(remote.counts.puts == 0)
    store.set("own", forKey: "k")
    #expect(await eventually { b.value == "own" })
    b.store.set("other", forKey: "k")
    #expect(await eventually { store.ownValue(forKey: "k") == "other" })
    #expect(a.value == "hidden")
  }

  @Test("Other keys are left alone, and keys differ if their bytes do")
  func otherKeys() async throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let (a, b) = (try Machine(remote), try Machine(remote))
    a.synchronizer.add([composed, "k", composed])
    #expect(a.synchronizer.keys.map { Array($0.utf8) } == ["k", composed].map { Array($0.utf8) })
    b.synchronizer.add([composed, decomposed])
    a.store.set(1, forKey: composed)
    a.store.set(2, forKey: decomposed)
    a.store.set(3, forKey: "other")
    try await a.wait()
    try await b.wait()
    #expect(b.store.plistRepresentation == [composed: 1])
    #expect(remote.counts.puts == 1)
  }

  @Test("The version of a domain is not synchronized")
  func version() async throws {
    let (a, b) = (try Machine(remote), try Machine(remote))
    for machine in [a, b] {
      machine.synchronizer.add([PreferencesMigration.versionKey])
      #expect(machine.synchronizer.keys == ["k"])
    }
    a.store.set(3, forKey: PreferencesMigration.versionKey)
    a.store.set(1, forKey: "k")
    try await a.wait()
    try await b.wait()
    #expect(b.store.plistRepresentation == ["k": 1])
  }

  @Test("A store in memory is synchronized")
  func memory() async throws {
    let (a, b) = (try Machine(remote, starts: false), try Machine(remote))
    a.start(store: .inMemory())
    a.store.set(1, forKey: "k")
    try await a.wait()
    #expect(await eventually { b.value == 1 })
    b.store.set(2, forKey: "k")
    #expect(await eventually { a.value == 2 })
  }

  // MARK: Adding

  @Test("A local value is uploaded if there is no remote value")
  func localOnly() async throws {
    let machine = try Machine(remote, starts: false)
    machine.store.set("here", forKey: "k")
    machine.start()
    try await machine.wait()
    #expect(try remote.value() == "here")
    #expect(remote.counts.puts == 1)
  }

  @Test("Without any value nothing is uploaded")
  func neither() async throws {
    let machine = try Machine(remote)
    try await machine.wait()
    #expect(machine.value == nil)
    #expect(remote.counts.puts == 0)
    #expect(try machine.savedEntry() == nil)
  }

  @Test(
    "A remote value or removal replaces a value that was never synchronized",
    arguments: [1, nil] as [PlistValue?])
  func undated(value: PlistValue?) async throws {
    try await remote.put(value, at: 10)
    let machine = try Machine(remote, starts: false)
    machine.store.set("here", forKey: "k")
    machine.start()
    try await machine.wait()
    #expect(machine.value == value)
    #expect(remote.counts.puts == 1)
  }

  @Test("It does so, too, after a restart before the first connection")
  func undatedRestart() async throws {
    try await remote.put(1, at: 10)
    remote.isReachable = false
    let machine = try Machine(remote, starts: false)
    machine.store.set("here", forKey: "k")
    machine.start()
    #expect(try await eventually { try machine.savedEntry()?.isUndated == true })
    remote.isReachable = true
    try machine.restart()
    try await machine.wait()
    #expect(machine.value == 1)
  }

  @Test("A value set after the key was added is a change like any other")
  func datedWhileOffline() async throws {
    try await remote.put(1, at: 10)
    remote.isReachable = false
    let machine = try Machine(remote)
    machine.store.set("here", forKey: "k")
    #expect(try await eventually { try machine.savedEntry() != nil })
    remote.isReachable = true
    machine.synchronizer.synchronize()
    try await machine.wait()
    #expect(try remote.value() == "here")
  }

  // MARK: Conflicts

  @Test(
    "A remote change wins unless it is older",
    arguments: [
      (1999.0, "here"), (1999.999_999, "here"), (2000.000_001, "there"), (2001, "there"),
      // Of the same date, the one with an origin wins.
      (2000, "here"),
    ])
  func times(seconds: Double, winner: String) async throws {
    let machine = try Machine(remote)
    try await machine.wait()
    machine.clock.set(2000)
    remote.isReachable = false
    machine.store.set("here", forKey: "k")
    #expect(try await eventually { try machine.savedEntry() != nil })
    remote.isReachable = true
    try await remote.put("there", at: seconds)
    try await machine.wait()
    #expect(machine.value == .string(winner))
    #expect(try remote.value() == .string(winner))
  }

  @Test("Of changes with the same date that of the last origin wins on all machines")
  func ties() async throws {
    let values: [PlistValue?] = ["a", "b", nil, 1, 2.5, ["a": 1], .float(2.5)]
    let machines = try machines(values.count, remote)
    for machine in machines { try await machine.wait() }
    remote.isReachable = false
    for (machine, value) in zip(machines, values) {
      machine.store.set("old", forKey: "k")
      try machine.store.saveChanges()
      machine.clock.set(2000)
      #expect(try await eventually { try machine.savedEntry() != nil })
      machine.store.put(value, forKey: "k")
      #expect(
        try await eventually { try machine.savedEntry()?.record.value == value })
    }
    let records = try machines.compactMap { try $0.savedEntry()?.record }
    let date = Date(timeIntervalSinceReferenceDate: 2000)
    for record in records { #expect((record.date, record.time.counter) == (date, 0)) }
    let winner = records.max { $0.time.origin < $1.time.origin }
    remote.isReachable = true
    for _ in 0..<2 { for machine in machines { try await machine.wait() } }
    for machine in machines { #expect(machine.value == winner?.value) }
    #expect(try remote.record(forKey: "k") == winner)
  }

  @Test(
    "A change made with knowledge of another one wins, even if its clock is behind")
  func skew() async throws {
    let (ahead, behind) = (
      try Machine(remote, clock: Clock(9000)), try Machine(remote, clock: Clock(10))
    )
    ahead.store.set("ahead", forKey: "k")
    try await ahead.wait()
    try await behind.wait()
    #expect(behind.value == "ahead")
    behind.store.set("behind", forKey: "k")
    try await behind.wait()
    try await ahead.wait()
    #expect(ahead.value == "behind")
    let time = try #require(try remote.record(forKey: "k")?.time)
    #expect((time.date, time.counter) == (ahead.clock.now, 1))
  }
}
