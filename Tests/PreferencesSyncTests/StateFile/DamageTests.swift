import Foundation
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@testable import Preferences
@testable import PreferencesSync

@Suite("Unreadable data is not overwritten")
struct DamageTests {
  let remote = InMemoryRemoteStore()

  @Test("A damaged state file stops synchronization until it is recovered")
  func stateFile() async throws {
    let machine = try Machine(remote, starts: false)
    machine.store.set(1, forKey: "k")
    try FileManager.default.createDirectory(
      atPath: machine.folder.path("state"), withIntermediateDirectories: false)
    try machine.folder.write("<plist>", to: "state/sync.plist")
    machine.start()
    await #expect { try await machine.wait() } throws: { error in
      "\(error)".contains("state/sync.plist: line 1")
    }
    #expect(machine.takeFailures().first?.hasPrefix("folder/state/sync.plist: line 1") == true)
    machine.store.set(2, forKey: "k")
    await #expect(throws: SynchronizationError.self) { try await machine.wait() }
    #expect(try machine.folder.text("state/sync.plist") == "<plist>")
    #expect(remote.counts.puts == 0)

    let path = try #require(try machine.synchronizer.recoverStateFile())
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "<plist>")
    try await machine.wait()
    #expect(try remote.value() == 2)
    #expect(try machine.savedEntry()?.record.value == 2)
    #expect(try machine.synchronizer.recoverStateFile() == nil)
  }

  @Test("A state file that is damaged later does so, too, and is restored from memory")
  func stateFileLater() async throws {
    let machine = try Machine(remote, starts: false)
    machine.start(["k", "l"])
    machine.store.set(1, forKey: "k")
    machine.store.set(2, forKey: "l")
    try await machine.wait()
    try machine.folder.write("<plist>", to: "state/sync.plist")
    machine.store.set(3, forKey: "l")
    await #expect(throws: SynchronizationError.self) {
      while true { try await machine.wait() }
    }
    try machine.synchronizer.recoverStateFile()
    try await machine.wait()
    #expect(try machine.savedEntry("k")?.record.value == 1)
    #expect(try machine.savedEntry("l")?.record.value == 3)
    try machine.restart(["k", "l"])
    try await machine.wait()
    #expect(remote.counts.puts == 3)
  }

  @Test(
    "An invalid entry of the state file stops its key until that is added again",
    arguments: [
      1, ["record": 1], ["record": .data(Data([1]))], ["pending": true],
      ["record": .data(SyncRecordTests.bytes([.date(.distantPast)])), "replaces": 1],
    ] as [PlistValue])
  func entry(value: PlistValue) async throws {
    let machine = try Machine(remote, starts: false)
    machine.store.set(1, forKey: "k")
    machine.store.set(2, forKey: "l")
    let stateFile = PreferencesStore(fileAt: machine.stateFilePath)
    try await stateFile.update { $0["k"] = value }
    try await remote.put(3, at: 9000)
    machine.start(["k", "l"])
    await #expect(throws: SynchronizationError.self) { try await machine.wait() }
    #expect(machine.takeFailures() == ["the state file holds an invalid entry for the key k"])
    #expect(machine.value == 1)
    #expect(try remote.value("l") == 2)
    machine.store.set(4, forKey: "k")
    await #expect(throws: SynchronizationError.self) { try await machine.wait() }
    #expect(stateFile.plistValue(forKey: "k") == value)
    machine.synchronizer.remove(["k"])
    machine.synchronizer.add(["k"])
    try await machine.wait()
    #expect(machine.value == 3)
  }

  @Test("Remote data that is not a record stops its key until there is other data")
  func record() async throws {
    let machine = try Machine(remote, starts: false)
    machine.start(["k", "l"])
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    try await remote.put(Data("bplist00".utf8))
    machine.store.set(2, forKey: "k")
    machine.store.set(2, forKey: "l")
    await #expect {
      while true { try await machine.wait() }
    } throws: { error in
      "\(error)".hasPrefix("the remote store holds an invalid record for the key k: ")
    }
    #expect(machine.takeFailures().count == 1)
    #expect(machine.value == 2)
    #expect(try remote.value("l") == 2)
    await #expect(throws: SynchronizationError.self) { try await machine.wait() }
    let bytes = try await remote.entries().entries.first { $0.key == "k" }?.data
    #expect(bytes == Data("bplist00".utf8))
    try await remote.put(3, at: 9)
    try await machine.wait()
    #expect(try remote.value() == 2)
  }

  @Test("A value that is too large stops its key until it has another one")
  func tooLarge() async throws {
    let (a, b) = (try Machine(remote, starts: false), try Machine(remote))
    a.start(store: PreferencesStore(fileAt: a.folder.path("binary.plist"), format: .binary))
    a.store.set("old", forKey: "k")
    try await a.wait()
    try await b.wait()
    a.store.set(Data(count: 65 << 20), forKey: "k")
    await #expect(throws: SynchronizationError.self) { try await a.wait() }
    #expect(
      a.takeFailures().first?.hasPrefix("the value of the key k cannot be uploaded: ") == true)
    b.clock.set(2000)
    b.store.set("new", forKey: "k")
    try await b.wait()
    await #expect(throws: SynchronizationError.self) { try await a.wait() }
    #expect(a.store.data(forKey: "k")?.count == 65 << 20)
    // The value from before is not a change, so the other machine's wins.
    a.store.set("old", forKey: "k")
    try await a.wait()
    #expect(a.value == "new")
  }

  @Test("A damaged file of the store is not a removal of all its values")
  func store() async throws {
    let (a, b) = (try Machine(remote), try Machine(remote))
    a.store.set(1, forKey: "k")
    try await a.wait()
    try await b.wait()
    try b.stop()
    try b.folder.write("<plist>", to: "store.plist")
    b.store.synchronize()
    b.start()
    await #expect(throws: SynchronizationError.self) { try await b.wait() }
    #expect(try b.folder.text("store.plist") == "<plist>")
    #expect(try remote.value() == 1)
    try await b.store.recover()
    try await b.wait()
    #expect(b.value == 1)
    #expect(remote.counts.puts == 1)
  }

  @Test("A missing file of the store is restored from the known records", arguments: [true, false])
  func missing(isRunning: Bool) async throws {
    let machine = try Machine(remote, starts: false)
    machine.start(["k", "l"])
    machine.store.set(1, forKey: "k")
    machine.store.set(2, forKey: "l")
    try await machine.wait()
    machine.store.removeObject(forKey: "l")
    try await machine.wait()
    if !isRunning { try machine.stop() }
    try FileManager.default.removeItem(atPath: machine.folder.path("store.plist"))
    machine.store.synchronize()
    if !isRunning { machine.start(["k", "l"]) }
    try await machine.wait()
    #expect(machine.store.plistRepresentation == ["k": 1])
    #expect(remote.counts.puts == 3)
  }

  @Test("A value that is removed before the store has a file stays removed")
  func removalBeforeFile() async throws {
    try await remote.put(1, at: 1000)
    let machine = try Machine(remote, starts: false)
    machine.start([])
    let store = machine.store
    // Before the value is saved.
    machine.synchronizer.onStep { step in
      if case .storedLocally = step { store.removeObject(forKey: "k") }
    }
    machine.synchronizer.add(["k"])
    // The first round downloads, the second one uploads.
    for _ in 0..<2 { try await machine.wait() }
    #expect(machine.value == nil)
    #expect(try remote.value() == nil)
  }

  @Test("A value that is removed after the synchronizer was canceled stays removed")
  func removalAfterCancellation() async throws {
    try await remote.put(1, at: 1000)
    let machine = try Machine(remote, starts: false)
    machine.start([])
    // While the value is saved.
    machine.synchronizer.onStep { [weak synchronizer = machine.synchronizer] step in
      if case .storedLocally = step { synchronizer?.cancel() }
    }
    machine.synchronizer.add(["k"])
    #expect(await eventually { machine.value == 1 })
    machine.store.removeObject(forKey: "k")
    try machine.restart()
    try await machine.wait()
    #expect(machine.value == nil)
    #expect(try remote.value() == nil)
  }

  @Test("A value that is removed before it is saved, while the synchronizer ends, stays removed")
  func removalAtTheEnd() async throws {
    try await remote.put(1, at: 1000)
    let machine = try Machine(remote, starts: false)
    machine.start([])
    let (store, isEnded) = (machine.store, Recorder<Bool>())
    machine.synchronizer.onStep { [weak synchronizer = machine.synchronizer] step in
      guard case .storedLocally = step else { return }
      store.removeObject(forKey: "k")
      synchronizer?.cancel()
      isEnded.record(true)
    }
    machine.synchronizer.add(["k"])
    #expect(await eventually { !isEnded.all.isEmpty })
    try machine.restart()
    try await machine.wait()
    #expect(machine.value == nil)
    #expect(try remote.value() == nil)
  }

  @Test("A value that is set back while the store cannot be saved is a change")
  func setBack() async throws {
    await #expect(processExitsWith: .success) {
      // Otherwise the store may read the old file before it saves, and the value would be set already.
      PreferencesStore.runtimeConfiguration.watchesFiles = false
      let remote = InMemoryRemoteStore()
      let machine = try Machine(remote)
      machine.store.set("old", forKey: "k")
      try await machine.wait()
      let saved = try machine.folder.data("store.plist")
      let (store, folder, steps) = (machine.store, machine.folder, Recorder<Bool>())
      machine.synchronizer.onStep { step in
        guard case .storedLocally = step, steps.all.isEmpty else { return }
        steps.record(true)
        try? folder.write("<plist>", to: "store.plist")
        store.set("old", forKey: "k")
      }
      machine.clock.set(3000)
      try await remote.put("new", at: 2000)
      #expect(await eventually { !machine.takeFailures().isEmpty })
      try folder.write(saved, to: "store.plist")
      store.synchronize()
      try await machine.wait()
      #expect(machine.value == "old")
      #expect(try remote.value() == "old")
      #expect(steps.all == [true])
    }
  }
}
