import Foundation
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing
import Threading

@testable import Preferences
@testable import PreferencesSync

@Suite("A machine's mark says what it has uploaded, and who it is", .timeLimit(.minutes(5)))
struct MarkTests {
  private static let day = 86_400.0
  private static let keys = ["k", "l"]
  let remote = InMemoryRemoteStore()
  /// The clock of the remote store and of all machines.
  let clock = Clock(1_000_000)

  init() {
    remote.setClock { [clock] in clock.now }
  }

  private func machine(starts: Bool = true) throws -> Machine {
    let machine = try Machine(remote, hasParts: true, clock: clock, starts: false)
    if starts { machine.start(Self.keys) }
    return machine
  }

  /// Replaces the process that uses a machine's store.
  private func startAnew(_ machine: Machine) {
    let path = machine.folder.path("store.plist")
    machine.start(
      Self.keys, store: PreferencesStore(fileAt: path, engine: PreferencesEngine(.system)))
  }

  private func pass(_ seconds: Double) {
    clock.set(clock.now.timeIntervalSinceReferenceDate + seconds)
  }

  /// The values of the remote store, without removals.
  private func values() async throws -> PlistDictionary {
    let entries = try await remote.values(ofDomain: "d").entries().entries
    return try PlistDictionary(
      entries.compactMap { entry in try SyncRecord(entry.data).value.map { (entry.key, $0) } })
  }

  private func marks() async throws -> [MachineMark] {
    try await Registry(remote.registry(ofDomain: "d")).marks().map(\.mark)
  }

  private func mark(of machine: Machine) async throws -> MachineMark? {
    let registry = Registry(remote.registry(ofDomain: "d"))
    return try await registry.mark(ofMachine: machine.savedMachine().origin).mark
  }

  private func expect(
    _ expected: PlistDictionary, on machines: Machine...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for _ in 0..<2 { for machine in machines { try await machine.wait() } }
    for machine in machines {
      #expect(machine.store.plistRepresentation == expected, sourceLocation: sourceLocation)
    }
    #expect(try await values() == expected, sourceLocation: sourceLocation)
  }

  /// Changes a key on a machine whose process ends before it has the answer to the upload.
  private func set(
    _ value: PlistValue?, on machine: Machine, forKey key: String = "k", isStored: Bool = true
  ) async throws {
    let (gate, name) = (Gate(), "domains/d/\(key)")
    let point: InMemoryRemoteStore.FaultPoint = isStored ? .afterPut(name) : .beforePut(name)
    remote.intercept { if $0 == point { await gate.pass() } }
    machine.store.put(value, forKey: key)
    #expect(await eventually { gate.arrivals == 1 })
    try machine.stop()
    remote.intercept(nil)
    gate.open()
    #expect(try machine.savedEntry(key)?.isPending == true)
  }

  /// Removes a key on a machine while the others are away until the removal is forgotten.
  private func removeForGood(_ key: String = "k", on machine: Machine) async throws {
    try await machine.wait()
    pass(3600)
    machine.store.removeObject(forKey: key)
    try await machine.wait()
    pass(100 * Self.day)
    for _ in 0..<3 { try await machine.wait() }
    let left = try await remote.values(ofDomain: "d").entries().entries.map(\.key)
    #expect(!left.contains(key))
  }

  // MARK: Lost answers

  @Test("A change whose answer was lost does not come back once its removal was collected")
  func lostAnswer() async throws {
    let (a, b) = (try machine(), try machine())
    for machine in [a, b] { try await machine.wait() }
    try await set("a", on: a)
    try await b.wait()
    #expect(b.value == "a")
    try await removeForGood(on: b)
    a.start(Self.keys)
    try await expect([:], on: a, b)
    #expect(try a.savedEntry() == nil)
  }

  @Test(
    "Changes of several transactions whose answers were lost do not come back either",
    arguments: [true, false])
  func severalTransactions(isAnswered: Bool) async throws {
    let keys = (0..<150).map { "k\($0)" }
    let (a, b) = (try machine(starts: false), try machine(starts: false))
    for machine in [a, b] {
      machine.start(keys)
      try await machine.wait()
    }
    remote.isReachable = false
    #expect(await eventually { !a.synchronizer.isConnected && !b.synchronizer.isConnected })
    for key in keys { a.store.set("a", forKey: key) }
    try await a.store.flush()
    let (gate, calls) = (Gate(), Lock(0))
    remote.intercept { point in
      guard case .afterPut = point else { return }
      let count = calls.withLock { calls in
        calls += 1
        return calls
      }
      // The first transaction has a hundred records and the mark.
      guard count == 102 else { return }
      if isAnswered { throw RemoteStoreError.unreachable }
      await gate.pass()
    }
    remote.isReachable = true
    a.synchronizer.synchronize()
    #expect(await eventually { gate.arrivals == 1 || a.synchronizer.status.isUploadFailing })
    try a.stop()
    remote.intercept(nil)
    gate.open()
    try await b.wait()
    #expect(try await values().count == 150)
    pass(3600)
    for key in keys { b.store.removeObject(forKey: key) }
    try await b.wait()
    pass(100 * Self.day)
    for _ in 0..<3 { try await b.wait() }
    #expect(try await remote.values(ofDomain: "d").entries().entries.isEmpty)
    a.start(keys)
    for _ in 0..<2 { for machine in [a, b] { try await machine.wait() } }
    #expect(try await values() == [:])
    #expect(keys.allSatisfy { a.store.plistValue(forKey: $0) == nil })
  }

  @Test("A change that was not uploaded is kept, whatever the mark says of others")
  func notStored() async throws {
    let (a, b) = (try machine(), try machine())
    b.store.set("b", forKey: "k")
    for machine in [b, a] { try await machine.wait() }
    // The answer of a later change is lost.
    clock.set(2_000_000)
    try await set("lost", on: a, forKey: "l")
    clock.set(1_500_000)
    a.store.set("a", forKey: "k")
    try await a.store.flush()
    clock.set(2_000_000)
    try await removeForGood(on: b)
    try await removeForGood("l", on: b)
    a.start(Self.keys)
    try await expect(["k": "a"], on: a, b)
  }

  @Test("An upload that never arrived is repeated after the removal of its key was collected")
  func neverArrived() async throws {
    let (a, b) = (try machine(), try machine())
    a.store.set("old", forKey: "k")
    for machine in [a, b] { try await machine.wait() }
    try await set("new", on: a, isStored: false)
    try await removeForGood(on: b)
    a.start(Self.keys)
    try await expect(["k": "new"], on: a, b)
  }

  @Test(
    "An upload with a time in the future wins over no change after it, however late it arrives",
    arguments: [true, false], [true, false])
  func lateUpload(arrives: Bool, isOfEarlierProcess: Bool) async throws {
    let values = UnreliableStore(remote.values(ofDomain: "d"), clock: clock)
    let registry = UnreliableStore(remote.registry(ofDomain: "d"), clock: clock)
    let own = Clock(1_000_000)
    let machine = try ReplacedMachine(1, ["k"], values: values, registry: registry, own)
    try await machine.start(isAnew: false)
    try await machine.wait()
    // No server answers, so the time is not corrected.
    own.set(1_000_000 + 365 * Self.day)
    machine.faults = [.delayed]
    try await machine.set("early", forKey: "k")
    #expect(await eventually { machine.lateCount > 0 })
    // The clock is known to be wrong, and nothing can be uploaded.
    if isOfEarlierProcess { machine.stop() }
    machine.faults = arrives ? [.refusedChanges] : []
    if isOfEarlierProcess { try await machine.start(isAnew: true) }
    if arrives {
      // The last of these follows an attempt with the right clock.
      let refused = values.refusedCount + registry.refusedCount
      #expect(await eventually { values.refusedCount + registry.refusedCount > refused + 3 })
    } else {
      try await machine.wait()
    }
    try await machine.set("later", forKey: "k")
    if arrives { try await machine.makeLateChanges() } else { machine.dropLateChanges() }
    machine.faults = []
    for _ in 0..<2 { try await machine.wait() }
    #expect(try await self.values() == ["k": "later"])
    #expect(machine.value("k") == "later")
    let entry = try #require(try await values.entries().entries.first)
    let lead = try SyncRecord(entry.data).date.timeIntervalSince(clock.now)
    // Only a new process can make sure that the upload never arrives.
    #expect(arrives || !isOfEarlierProcess ? lead > 364 * Self.day : lead.magnitude < 300)
  }

  @Test("An answer that is lost while the process runs is found out before the next upload")
  func lostWhileRunning() async throws {
    let (a, b) = (try machine(), try machine())
    for machine in [a, b] { try await machine.wait() }
    remote.intercept { point in
      if point == .afterPut("domains/d/k") { throw RemoteStoreError.unreachable }
    }
    a.store.set("a", forKey: "k")
    #expect(await eventually { !a.takeFailures().isEmpty })
    remote.intercept(nil)
    a.store.set("a", forKey: "l")
    try await expect(["k": "a", "l": "a"], on: a, b)
    try a.stop()
    let mark = try #require(try await mark(of: a))
    #expect(try a.savedMachine().hasWritten(mark))
    #expect(try await marks().count == 2)
  }

  @Test("An entry that somebody else removes is uploaded again, although a mark has it")
  func removedByHand() async throws {
    let a = try machine()
    for key in Self.keys { a.store.set("a", forKey: key) }
    try await a.wait()
    // One transaction has both, and the removal is later.
    remote.isReachable = false
    a.store.set("again", forKey: "k")
    try await a.store.flush()
    pass(10)
    a.store.removeObject(forKey: "l")
    try await a.store.flush()
    remote.isReachable = true
    try await a.wait()
    pass(3600)
    for _ in 0..<3 { try await a.wait() }
    let values = remote.values(ofDomain: "d")
    let entry = try #require(try await values.entries().entries.first { $0.key == "k" })
    // It is seen, and cannot be uploaded before the next snapshot.
    let isRemoved = Lock(false)
    remote.intercept { point in
      guard point == .beforePut("domains/d/k") else { return }
      if isRemoved.withLock({ exchange(&$0, with: true) }) { throw RemoteStoreError.unreachable }
    }
    _ = a.takeFailures()
    _ = try await values.removeEntry(forKey: "k", replacing: entry.revision)
    #expect(await eventually { !a.takeFailures().isEmpty })
    remote.isReachable = false
    remote.intercept(nil)
    remote.isReachable = true
    try await expect(["k": "again"], on: a)
  }

  @Test("A mark is written in the transaction of its records")
  func together() async throws {
    let a = try machine()
    try await a.wait()
    remote.isReachable = false
    for key in Self.keys { a.store.set("a", forKey: key) }
    try await a.store.flush()
    let gate = Gate()
    remote.intercept { if $0 == .afterPut("domains/d/k") { await gate.pass() } }
    remote.isReachable = true
    a.synchronizer.synchronize()
    #expect(await eventually { gate.arrivals == 1 })
    try a.stop()
    remote.intercept(nil)
    gate.open()
    #expect(try await mark(of: a)?.uploads?.split(separator: " ").count == 2)
    let entries = try await remote.entries().entries.filter {
      $0.key.contains("/machine/") || $0.key.hasPrefix("domains/")
    }
    #expect(entries.count == 3)
    #expect(Set(entries.map(\.revision)).count == 1)
  }

  // MARK: Clones

  @Test(
    "A cloned machine and the original go on, each with a mark of its own",
    arguments: [true, false], [true, false])
  func clone(hasPendingChange: Bool, runsBefore: Bool) async throws {
    let (a, b) = (try machine(), try machine())
    a.store.set("old", forKey: "k")
    for machine in [a, b] { try await machine.wait() }
    if hasPendingChange { try await set("pending", on: a, isStored: false) } else { try a.stop() }
    let clone = try machine(starts: false)
    try FileManager.default.createDirectory(
      atPath: clone.folder.path("state"), withIntermediateDirectories: false)
    for name in ["store.plist", "state/sync.plist"] {
      try clone.folder.write(a.folder.data(name), to: name)
    }
    let count = try await marks().count
    if runsBefore {
      for machine in [a, clone] {
        startAnew(machine)
        try await machine.wait()
      }
    }
    pass(10)
    a.store.set("a", forKey: "k")
    pass(10)
    clone.store.set("clone", forKey: "l")
    for machine in [a, clone] { try await machine.store.flush() }
    if !runsBefore { for machine in [a, clone] { startAnew(machine) } }
    try await expect(["k": "a", "l": "clone"], on: a, clone, b)
    #expect(try a.savedMachine().origin != clone.savedMachine().origin)
    #expect(try await marks().count == count + 1)
    // Waits for both.
    try clone.stop()
    a.store.removeObject(forKey: "k")
    pass(Self.day)
    for _ in 0..<3 { for machine in [a, b] { try await machine.wait() } }
    #expect(try await remote.values(ofDomain: "d").entries().entries.map(\.key).contains("k"))
    startAnew(clone)
    try await expect(["l": "clone"], on: clone, a, b)
  }

  @Test(
    "A store and a state file that are older together change nothing", arguments: [true, false])
  func olderMachine(hasPendingChange: Bool) async throws {
    let (a, b) = (try machine(), try machine())
    for key in Self.keys { a.store.set("old", forKey: key) }
    for machine in [a, b] { try await machine.wait() }
    if hasPendingChange { try await set("pending", on: a, isStored: false) } else { try a.stop() }
    let copies = try ["store.plist", "state/sync.plist"].map { ($0, try a.folder.data($0)) }
    let old = try a.savedMachine()
    startAnew(a)
    try await a.wait()
    pass(10)
    a.store.set("new", forKey: "k")
    a.store.removeObject(forKey: "l")
    try await expect(["k": "new"], on: a, b)
    try a.stop()
    for (name, copy) in copies { try a.folder.write(copy, to: name) }
    let before = try await remote.values(ofDomain: "d").entries().entries
    pass(10)
    startAnew(a)
    try await expect(["k": "new"], on: a, b)
    let after = try await remote.values(ofDomain: "d").entries().entries
    #expect(Set(after) == Set(before))
    // What it sets now is later, and comes from a new machine.
    a.store.set("newest", forKey: "k")
    try await expect(["k": "newest"], on: a, b)
    #expect(try a.savedMachine().origin != old.origin)
  }

  // MARK: Earlier versions

  /// What an earlier version saves about a machine.
  private func makeEarlier(_ machine: Machine) throws {
    try machine.folder.changePlist("state/sync.plist") { values in
      guard case .dictionary(var saved)? = values[StateFileName.machine],
        case .data(let data)? = saved["mark"], let mark: MachineMark = RegistryCoding.value(data)
      else {
        Issue.record("no mark")
        return
      }
      saved["incarnation"] = nil
      let earlier = MachineMark(revision: mark.revision, date: mark.date)
      saved["mark"] = try? .data(RegistryCoding.data(earlier))
      values[StateFileName.machine] = .dictionary(saved)
    }
  }

  @Test("A state file and a mark of an earlier version go on", arguments: [true, false])
  func earlier(hasWrittenMark: Bool) async throws {
    let (a, b) = (try machine(), try machine())
    a.store.set("old", forKey: "k")
    for machine in [a, b] { try await machine.wait() }
    try a.stop()
    let origin = try a.savedMachine().origin
    if hasWrittenMark {
      let registry = remote.registry(ofDomain: "d")
      let found = try await Registry(registry).mark(ofMachine: origin)
      let mark = MachineMark(revision: found.mark?.revision ?? 0, date: clock.now)
      let change = RemoteChange(
        key: Registry.key(ofMachine: origin), data: try RegistryCoding.data(mark),
        replacing: found.revision)
      #expect(try await registry.apply([change]).count == 1)
    }
    // Otherwise the machine ran and had nothing to note.
    try makeEarlier(a)
    startAnew(a)
    a.store.set("new", forKey: "k")
    try await expect(["k": "new"], on: a, b)
    #expect(try a.savedMachine().origin == origin)
    #expect(try await mark(of: a)?.incarnation != nil)
    #expect(try await marks().count == 2)
  }

  @Test("An earlier version can read the mark of the largest upload")
  func size() throws {
    let uploads = (0..<SyncWorker.largestMark).map { _ in
      UInt64.random(in: .min ... .max).hexadecimal
    }
    let mark = MachineMark(
      revision: .max, date: .now, incarnation: .max, uploads: uploads.joined(separator: " "))
    let data = try RegistryCoding.data(mark)
    #expect(data.count < 4096)
    #expect(RegistryCoding.value(data) == mark)
  }
}
