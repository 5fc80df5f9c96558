import Foundation
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@testable import Preferences
@testable import PreferencesSync

@Suite("A wrong clock freezes no key", .timeLimit(.minutes(5)))
struct ClockTests {
  private static let year = 31_536_000.0
  let remote = InMemoryRemoteStore()
  /// The clock of the remote store.
  let clock = Clock(1_000_000)

  init() {
    remote.setClock(servers: 2) { [clock] in clock.now }
  }

  private func machine(ahead seconds: Double = 0, starts: Bool = true) throws -> Machine {
    let now = clock.now.timeIntervalSinceReferenceDate
    return try Machine(remote, clock: Clock(now + seconds), starts: starts)
  }

  /// How many seconds the date of the remote record is ahead of the remote store's clock.
  private func lead() throws -> Double {
    try #require(try remote.record(forKey: "k")).date.timeIntervalSince(clock.now)
  }

  @Test("A machine that is a year ahead wins with what it set offline once and no more")
  func yearAhead() async throws {
    let right = try machine()
    let wrong = try machine(ahead: Self.year, starts: false)
    wrong.store.set("future", forKey: "k")
    right.store.set("present", forKey: "k")
    try await right.wait()
    // Known from an earlier run, so that the value has an age.
    wrong.start()
    try await wrong.wait()
    #expect(wrong.value == "present")
    // After a restart the remote store's clock is unknown.
    remote.setClock(nil)
    _ = try await remote.entries()
    remote.isReachable = false
    #expect(await eventually { !wrong.synchronizer.isConnected })
    try wrong.restart()
    wrong.store.set("future", forKey: "k")
    #expect(try await eventually { try wrong.savedEntry()?.record.value == "future" })
    right.store.set("later", forKey: "k")
    #expect(try await eventually { try right.savedEntry()?.record.value == "later" })
    #expect(try #require(try wrong.savedEntry()).record.date == wrong.clock.now)
    remote.setClock(servers: 2) { [clock] in clock.now }
    remote.isReachable = true
    try await wrong.wait()
    try await right.wait()
    #expect(right.value == "future")
    #expect(abs(try lead()) < 300)

    clock.set(1_000_100)
    right.clock.set(1_000_100)
    right.store.set("right", forKey: "k")
    try await right.wait()
    try await wrong.wait()
    #expect(wrong.value == "right")
    #expect(abs(try lead()) < 300)
    // Once its clock is known, it does not win against values that it has not seen either.
    remote.isReachable = false
    #expect(await eventually { !wrong.synchronizer.isConnected })
    wrong.store.set("earlier", forKey: "k")
    #expect(try await eventually { try wrong.savedEntry()?.record.value == "earlier" })
    clock.set(1_001_000)
    right.clock.set(1_001_000)
    right.store.set("right again", forKey: "k")
    #expect(try await eventually { try right.savedEntry()?.record.value == "right again" })
    remote.isReachable = true
    try await wrong.wait()
    try await right.wait()
    try await wrong.wait()
    #expect(wrong.value == "right again")
    #expect(right.value == "right again")
  }

  @Test("A record from the future that is in the remote store is replaced by its counter")
  func futureRecord() async throws {
    let record = try SyncRecord(
      time: HybridTime(date: clock.now + Self.year, counter: 4, origin: "other"), value: "future")
    try await remote.put(record.data)
    let machine = try machine()
    try await machine.wait()
    machine.store.set("present", forKey: "k")
    try await machine.wait()
    let time = try #require(try remote.record(forKey: "k")?.time)
    #expect(try remote.value() == "present")
    #expect((time.date, time.counter) == (record.date, 5))
  }

  @Test(
    "A record that nothing could replace is refused, and its key goes on once it is removed",
    arguments: [nil, "mine"] as [PlistValue?], [true, false])
  func lastTime(change: PlistValue?, isAway: Bool) async throws {
    let (a, b) = (try machine(), try machine())
    a.store.set("old", forKey: "k")
    for machine in [a, b] { try await machine.wait() }
    let entry = try #require(try await remote.entries().entries.first)
    let data = try Plist.write(
      [.date(Date(timeIntervalSinceReferenceDate: 252_423_993_599)), 0xFFFF_FFFF, "other", "last"],
      as: .binary)
    try await remote.put(data)
    for machine in [a, b] {
      await #expect(throws: SynchronizationError.self) { try await machine.wait() }
      #expect(
        machine.takeFailures().first?.contains("the date of the record is out of range") == true)
      #expect(machine.value == "old")
    }
    if let change {
      a.store.put(change, forKey: "k")
      await #expect(throws: SynchronizationError.self) { try await a.wait() }
      #expect(a.value == change)
    }
    if isAway { try a.stop() }
    let last = try #require(try await remote.entries().entries.first)
    #expect(last.data == data && last.revision > entry.revision)
    _ = try await remote.removeEntry(forKey: "k", replacing: last.revision)
    if isAway {
      try await b.wait()
      a.start()
    }
    for _ in 0..<2 { for machine in [a, b] { try await machine.wait() } }
    for machine in [a, b] {
      #expect(machine.value == change ?? "old")
      machine.store.set("new", forKey: "k")
      for machine in [machine, a, b] { try await machine.wait() }
      for machine in [a, b] { #expect(machine.value == "new") }
      machine.store.put(change ?? "old", forKey: "k")
      for machine in [machine, a, b] { try await machine.wait() }
    }
  }

  @Test(
    "A clock that is put back or far behind wins over what the machine has seen",
    arguments: [-60.0, -86_400, -10 * year])
  func behind(seconds: Double) async throws {
    let right = try machine()
    let wrong = try machine(ahead: seconds)
    try await wrong.wait()
    right.store.set("seen", forKey: "k")
    try await right.wait()
    #expect(await eventually { wrong.value == "seen" })
    wrong.store.set("after", forKey: "k")
    try await wrong.wait()
    try await right.wait()
    #expect(right.value == "after")
    #expect(abs(try lead()) < 300)
  }

  @Test("A jump of the clock while connected is noticed", arguments: [year, -year])
  func jump(seconds: Double) async throws {
    let (machine, other) = (try machine(), try machine())
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    machine.clock.set(1_000_000 + seconds)
    machine.store.set(2, forKey: "k")
    try await machine.wait()
    #expect(abs(try lead()) < 300)
    // The clock of the remote store has advanced by the time that this took.
    let text =
      "the clock of this machine is N seconds \(seconds > 0 ? "ahead of" : "behind") that of the "
      + "remote store"
    #expect(machine.takeFailures().map { $0.replacing(/\d+/, with: "N") } == [text])
    try await other.wait()
    other.store.set(3, forKey: "k")
    try await other.wait()
    try await machine.wait()
    #expect(machine.value == 3)
    #expect(machine.takeFailures() == [])
  }

  @Test("Skew is reported once until the clock was right again")
  func report() async throws {
    let machine = try machine(ahead: 100_000)
    for _ in 0..<3 { try await machine.wait() }
    #expect(machine.takeFailures().count == 1)
    machine.clock.set(1_000_000)
    try await machine.wait()
    #expect(machine.takeFailures() == [])
    machine.clock.set(2_000_000)
    for _ in 0..<3 { try await machine.wait() }
    #expect(machine.takeFailures().count == 1)
    guard case .clockSkew(let skew)? = machine.synchronizer.status.lastError else {
      Issue.record("no skew")
      return
    }
    #expect(skew > .seconds(999_000) && skew <= .seconds(1_000_000))
  }

  @Test("A difference within the tolerance is left alone")
  func tolerance() async throws {
    let machine = try machine(ahead: 200)
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    #expect(try lead() == 200)
    #expect(machine.takeFailures() == [])
  }

  @Test("One server alone moves the time by no more than the tolerance", arguments: [year, -year])
  func wrongServer(seconds: Double) async throws {
    remote.setClock { [clock] in clock.now + seconds }
    let machine = try machine()
    try await machine.wait()
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    #expect(try lead() == (seconds > 0 ? 300 : -300))
    #expect(machine.takeFailures().count == 1)
  }

  @Test("The clock that the system keeps right counts", arguments: [year, -year])
  func synchronizedClock(seconds: Double) async throws {
    remote.setClock(servers: 2) { [clock] in clock.now + seconds }
    let machine = try machine(starts: false)
    machine.start(isSynchronized: true)
    try await machine.wait()
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    #expect(try lead() == 0)
    #expect(machine.takeFailures().count == 1)
  }

  @Test("The origin is made once, and kept in the file of the store")
  func origin() async throws {
    let machine = try machine()
    for number in 0...1 {
      machine.store.set(number, forKey: "k")
      try await machine.wait()
    }
    let origin = try #require(try remote.record(forKey: "k")?.time.origin)
    #expect(origin.utf8.count == 16)
    try machine.restart()
    machine.store.set(2, forKey: "k")
    try await machine.wait()
    #expect(try remote.record(forKey: "k")?.time.origin == origin)
    let other = try self.machine()
    try await other.wait()
    other.store.set(3, forKey: "k")
    try await other.wait()
    #expect(try remote.record(forKey: "k")?.time.origin != origin)
  }

  @Test("A state file from before there were counters is read")
  func earlierFormat() async throws {
    let machine = try machine(starts: false)
    let record = try SyncRecord(date: clock.now - 10, value: "old")
    let entry = StateFileEntry(record: record, isPending: true, isUndated: false, replaced: nil)
    try await PreferencesStore(fileAt: machine.stateFilePath).update { $0["k"] = entry.value }
    machine.store.set("old", forKey: "k")
    try await machine.store.flush()
    machine.start()
    try await machine.wait()
    #expect(try remote.record(forKey: "k") == record)
    machine.store.set("new", forKey: "k")
    try await machine.wait()
    #expect(try remote.record(forKey: "k")?.time.origin.isEmpty == false)
  }

  @Test("A key with the name of the machine's entry is kept apart from it")
  func machineName() async throws {
    let machine = try machine(starts: false)
    machine.start(["%machine"])
    for number in 0...1 {
      machine.store.set(number, forKey: "%machine")
      try await machine.wait()
    }
    let time = try #require(try remote.record(forKey: "%machine")?.time)
    try machine.restart(["%machine"])
    machine.store.set(2, forKey: "%machine")
    try await machine.wait()
    #expect(try remote.record(forKey: "%machine")?.time.origin == time.origin)
    #expect(try machine.savedEntry("%%machine")?.record.value == 2)
  }
}
