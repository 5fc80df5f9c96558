import Foundation
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@testable import Preferences
@testable import PreferencesSync

@Suite("The file of a store says what has changed in it, and when", .timeLimit(.minutes(5)))
struct StampTests {
  let remote = InMemoryRemoteStore()
  private static let keys = ["k", "l", "m"]

  /// Two machines with the same values of all keys, set at 1000 seconds.
  private func machines(_ keys: [String] = keys) async throws -> (Machine, Machine) {
    let (a, b) = (try Machine(remote, starts: false), try Machine(remote, starts: false))
    for machine in [a, b] { machine.start(keys) }
    for key in keys { a.store.set("old", forKey: key) }
    for machine in [a, b] { try await machine.wait() }
    return (a, b)
  }

  private func set(
    _ value: PlistValue?, on machine: Machine, forKey key: String = "k", at seconds: Double
  ) throws {
    machine.clock.set(seconds)
    machine.store.put(value, forKey: key)
    try machine.store.flush()
  }

  /// Replaces the process that uses a machine's store.
  private func startAnew(_ machine: Machine, _ keys: [String] = keys) {
    let path = machine.folder.path("store.plist")
    machine.start(keys, store: PreferencesStore(fileAt: path, engine: PreferencesEngine(.system)))
  }

  private func expect(
    _ values: PlistDictionary, on machines: Machine...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for _ in 0..<2 { for machine in machines { try await machine.wait() } }
    for machine in machines {
      let found = machine.store.plistRepresentation
      #expect(found == values, sourceLocation: sourceLocation)
    }
  }

  // MARK: Files from elsewhere

  @Test("An older copy of the file wins over nothing", arguments: [true, false])
  func olderCopy(isRunning: Bool) async throws {
    let (a, b) = try await machines()
    let copy = try a.folder.data("store.plist")
    try set("new", on: a, at: 2000)
    try set(nil, on: a, forKey: "l", at: 2001)
    try await expect(["k": "new", "m": "old"], on: a, b)
    let puts = remote.counts.puts
    if !isRunning { try a.stop() }
    try a.folder.write(copy, to: "store.plist")
    a.store.synchronize()
    a.clock.set(9000)
    if !isRunning { startAnew(a) }
    try await expect(["k": "new", "m": "old"], on: a, b)
    #expect(remote.counts.puts == puts)
  }

  @Test("A file that is damaged and repaired while a remote value arrives has no changes")
  func repaired() async throws {
    let (a, b) = try await machines()
    let copy = try a.folder.data("store.plist")
    try a.folder.write("<plist>", to: "store.plist")
    try set("new", on: b, at: 2000)
    try await b.wait()
    #expect(await eventually { !a.takeFailures().isEmpty })
    a.clock.set(9000)
    try a.folder.write(copy, to: "store.plist")
    a.store.synchronize()
    try await expect(["k": "new", "l": "old", "m": "old"], on: a, b)
  }

  /// How a file loses all keys but one.
  enum Loss: CaseIterable {
    case deletion, recovery, subset
  }

  @Test(
    "A file that is created anew by a change of one key is no removal of the others",
    arguments: Loss.allCases, [true, false])
  func created(loss: Loss, isRunning: Bool) async throws {
    let (a, b) = try await machines()
    if !isRunning { try a.stop() }
    a.clock.set(9000)
    switch loss {
    case .deletion:
      try FileManager.default.removeItem(atPath: a.folder.path("store.plist"))
      a.store.synchronize()
    case .recovery:
      try a.folder.write("<plist>", to: "store.plist")
      a.store.synchronize()
      let moved = try await a.store.recover()
      #expect(moved != nil)
    case .subset:
      try a.folder.write(Plist.write(["l": "new"], as: .xml), to: "store.plist")
      a.store.synchronize()
    }
    if loss != .subset { try set("new", on: a, forKey: "l", at: 9000) }
    if !isRunning { startAnew(a) }
    // What another program writes has the date of the file, by the clock of the system.
    try await expect(["k": "old", "l": "new", "m": "old"], on: a, b)
  }

  @Test(
    "A state file that is older or lost makes no change of what was received",
    arguments: [true, false])
  func state(isLost: Bool) async throws {
    let (a, b) = try await machines()
    let copy = try a.folder.data("state/sync.plist")
    try set("new", on: b, at: 2000)
    try await expect(["k": "new", "l": "old", "m": "old"], on: b, a)
    let puts = remote.counts.puts
    try a.stop()
    // A change that was not uploaded is in the store, so it is not lost either.
    try set("mine", on: a, forKey: "l", at: 3000)
    try set("theirs", on: b, forKey: "l", at: 2500)
    try await b.wait()
    if isLost {
      try FileManager.default.removeItem(atPath: a.stateFilePath)
    } else {
      try a.folder.write(copy, to: "state/sync.plist")
    }
    a.clock.set(9000)
    a.start(Self.keys)
    try await expect(["k": "new", "l": "mine", "m": "old"], on: a, b)
    #expect(remote.counts.puts == puts + 2)
  }

  @Test("A store and a state file that are older together win over nothing")
  func olderMachine() async throws {
    let (a, b) = try await machines()
    try a.stop()
    let (store, state) = (try a.folder.data("store.plist"), try a.folder.data("state/sync.plist"))
    a.start(Self.keys)
    try set("new", on: a, at: 2000)
    try await expect(["k": "new", "l": "old", "m": "old"], on: a, b)
    let puts = remote.counts.puts
    try a.stop()
    try a.folder.write(store, to: "store.plist")
    try a.folder.write(state, to: "state/sync.plist")
    a.clock.set(9000)
    startAnew(a)
    try await expect(["k": "new", "l": "old", "m": "old"], on: a, b)
    #expect(remote.counts.puts == puts)
  }

  // MARK: Times

  @Test(
    "A change without a synchronizer has its own time, not that of a later save",
    arguments: [2000.0, 4000])
  func ownTime(seconds: Double) async throws {
    let (a, b) = try await machines()
    try a.stop()
    try set("monday", on: a, at: seconds)
    try set("wednesday", on: b, at: 3000)
    try await b.wait()
    try set("frame", on: a, forKey: "other", at: 5000)
    a.clock.set(9000)
    startAnew(a)
    let winner: PlistValue = seconds < 3000 ? "wednesday" : "monday"
    for _ in 0..<2 { for machine in [a, b] { try await machine.wait() } }
    #expect(a.value == winner)
    #expect(b.value == winner)
  }

  @Test("A key that had no value when it was added is dated when it is set without a synchronizer")
  func absentKey() async throws {
    let a = try Machine(remote)
    try await a.wait()
    try a.stop()
    try set("mine", on: a, at: 3000)
    try await remote.put("theirs", at: 2000)
    a.clock.set(9000)
    startAnew(a, ["k"])
    try await a.wait()
    #expect(a.value == "mine")
    #expect(try remote.record(forKey: "k")?.date == Date(timeIntervalSinceReferenceDate: 3000))
  }

  @Test(
    "A key that leaves the configuration and returns has the time of its change",
    arguments: [2000.0, 4000])
  func returningKey(seconds: Double) async throws {
    let (a, b) = try await machines()
    try a.stop()
    a.start(["l"])
    try await a.wait()
    try set("here", on: a, at: seconds)
    try set("new", on: a, forKey: "l", at: 5000)
    try await a.wait()
    try a.stop()
    try set("there", on: b, at: 3000)
    try await b.wait()
    a.clock.set(9000)
    startAnew(a)
    try await expect(["k": seconds < 3000 ? "there" : "here", "l": "new", "m": "old"], on: a, b)
  }

  @Test(
    "A change is later than a first value of unknown age, whatever the clock says",
    arguments: [nil, "second"] as [PlistValue?], [500.0, 1000, 2000])
  func firstValue(value: PlistValue?, seconds: Double) async throws {
    let a = try Machine(remote, starts: false)
    remote.isReachable = false
    try set("first", on: a, at: 1000)
    a.start()
    #expect(try await eventually { try a.savedEntry()?.isUndated == true })
    try set(value, on: a, at: seconds)
    remote.isReachable = true
    try await a.wait()
    #expect(a.value == value)
    #expect(try remote.value() == value)
  }

  @Test("A change is later than a value whose time was in the future, wherever the process ended")
  func future() async throws {
    remote.setClock { Date(timeIntervalSinceReferenceDate: 1000) }
    let a = try Machine(remote)
    try await a.wait()
    remote.isReachable = false
    #expect(await eventually { !a.synchronizer.isConnected })
    try set("first", on: a, at: 1_000_000)
    #expect(try await eventually { try a.savedEntry()?.isPending == true })
    let state = try a.folder.data("state/sync.plist")
    // The state file cannot be saved with the right time, as after a crash.
    a.synchronizer.onStep { [folder = a.folder] step in
      if step == .connected { try? folder.write("<plist>", to: "state/sync.plist") }
    }
    _ = a.takeFailures()
    remote.isReachable = true
    a.synchronizer.synchronize()
    #expect(await eventually { a.takeFailures().contains { $0.contains("sync.plist") } })
    try a.stop()
    try a.folder.write(state, to: "state/sync.plist")
    try set("second", on: a, at: 1001)
    a.start()
    try await a.wait()
    #expect(a.value == "second")
    #expect(try remote.value() == "second")
  }

  @Test("A value that was set and set back is a change")
  func setBack() async throws {
    let (a, b) = try await machines()
    try a.stop()
    try set("between", on: a, at: 3000)
    try set("old", on: a, at: 3001)
    try set("theirs", on: b, at: 2000)
    try await b.wait()
    a.clock.set(9000)
    startAnew(a)
    try await expect(["k": "old", "l": "old", "m": "old"], on: a, b)
  }

  @Test("Two synchronizers of a store upload no change of the other again")
  func twoSynchronizers() async throws {
    let (a, b) = try await machines()
    let second = PreferencesSynchronizer(
      store: a.store, remote: remote, stateFileAt: a.folder.path("second.plist"),
      options: PreferencesSynchronizer.Options(), now: { a.clock.now })
    second.add(Self.keys)
    defer { second.cancel() }
    try await second.waitForCompletion()
    let puts = remote.counts.puts
    try set("new", on: b, at: 2000)
    try await b.wait()
    // Only one of them is running when the value arrives.
    try await a.wait()
    second.cancel()
    try set("newer", on: b, at: 3000)
    try await b.wait()
    try await a.wait()
    a.clock.set(9000)
    let third = PreferencesSynchronizer(
      store: a.store, remote: remote, stateFileAt: a.folder.path("second.plist"),
      options: PreferencesSynchronizer.Options(), now: { a.clock.now })
    third.add(Self.keys)
    defer { third.cancel() }
    try await third.waitForCompletion()
    try await expect(["k": "newer", "l": "old", "m": "old"], on: a, b)
    #expect(remote.counts.puts == puts + 2)
    try set("own", on: a, at: 9001)
    try await a.wait()
    try await third.waitForCompletion()
    try await expect(["k": "own", "l": "old", "m": "old"], on: a, b)
    #expect(remote.counts.puts == puts + 3)
  }

  @Test("Keys for whose stamps there is no room are reported once, and do not hold up others")
  func tooManyKeys() async throws {
    let a = try Machine(remote, starts: false)
    let name = String(repeating: "k", count: 400_000)
    a.start(["k"] + (0..<5).map { "\($0)\(name)" })
    try set("value", on: a, at: 2000)
    await #expect(throws: SynchronizationError.self) { try await a.wait() }
    #expect(try remote.value() == "value")
    let failures = a.takeFailures()
    #expect(failures.count == 1)
    #expect(failures.first?.contains("keeps track of too many others") == true)
    #expect(a.synchronizer.status.stoppedKeys == 3)
  }

  // MARK: Programs without stamps

  @Test("A conversion that rounds a date is no change", arguments: [true, false])
  func conversion(isRunning: Bool) async throws {
    let (a, b) = try await machines()
    let date = PlistValue.date(Date(timeIntervalSinceReferenceDate: 5000.75))
    let rounded = PlistValue.date(Date(timeIntervalSinceReferenceDate: 5000))
    try set(date, on: a, at: 2000)
    try await expect(["k": date, "l": "old", "m": "old"], on: a, b)
    let puts = remote.counts.puts
    if !isRunning { try a.stop() }
    let document = try Plist.read(a.folder.data("store.plist"))
    #expect(document.format == .binary)
    try a.folder.write(Plist.write(document.value, as: .xml), to: "store.plist")
    a.store.synchronize()
    if !isRunning { startAnew(a) }
    for _ in 0..<2 { for machine in [a, b] { try await machine.wait() } }
    #expect(a.value == rounded)
    #expect(b.value == date)
    #expect(remote.counts.puts == puts)
    #expect(try Plist.read(a.folder.data("store.plist")).format == .xml)
  }

  @Test(
    "A program without stamps removes some keys, but not most of them", arguments: [1, 2, 3, 4])
  func removals(count: Int) async throws {
    let keys = ["a", "b", "c", "d"]
    let (a, b) = try await machines(keys)
    a.clock.set(9000)
    try a.folder.changePlist("store.plist") { values in
      for key in keys.prefix(count) { values[key] = nil }
    }
    a.store.synchronize()
    let isRestored = count > 2
    let left = keys.dropFirst(isRestored ? 0 : count)
    try await expect(PlistDictionary(left.map { ($0, PlistValue.string("old")) }), on: a, b)
    let text =
      "another program has removed \(count) keys, most of those that are synchronized; they are restored"
    #expect(Set(a.takeFailures()) == (isRestored ? [text] : []))
  }

  @Test("A store that was synchronized before there were stamps gets the known times")
  func migration() async throws {
    let (a, b) = try await machines()
    let puts = remote.counts.puts
    try a.stop()
    try a.folder.changePlist("store.plist") { values in
      values[Stamps.key] = nil
      values["l"] = "changed"
      values["m"] = nil
    }
    a.clock.set(9000)
    startAnew(a)
    // It is not known that the missing key was removed.
    try await expect(["k": "old", "l": "changed", "m": "old"], on: a, b)
    #expect(remote.counts.puts == puts + 1)
    let stamps = try a.store.stampedValues().stamps
    for key in Self.keys {
      #expect(try stamps.stamp(forKey: key)?.time == remote.record(forKey: key)?.time)
    }
  }
}
