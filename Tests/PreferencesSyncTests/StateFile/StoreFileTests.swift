import FileStorage
import Foundation
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing
import Threading

@testable import Preferences
@testable import PreferencesSync

@Suite("What others do to files while values are merged loses nothing")
struct StoreFileTests {
  /// A closure that is called when the time is asked for, once.
  private final class Hook: Sendable {
    private let body = Lock<(@Sendable () -> Void)?>(nil)
    private let count = Lock(0)

    /// Whether the closure was called.
    var wasCalled: Bool { count.withLock { $0 > 0 } }

    func set(_ new: @escaping @Sendable () -> Void) { body.withLock { $0 = new } }

    func call() {
      let current = body.withLock { exchange(&$0, with: nil) }
      if let current {
        current()
        count.withLock { $0 += 1 }
      }
    }
  }

  /// A machine that calls a hook when it asks for the time.
  private final class HookedMachine: Sendable {
    let remote = InMemoryRemoteStore()
    let folder: TemporaryFolder
    let store: PreferencesStore
    /// Called when a change is dated.
    let hook = Hook()
    /// Called when files are about to be saved.
    let savingHook = Hook()
    let synchronizer: PreferencesSynchronizer
    let failures = Recorder<String>()

    init() throws {
      folder = try TemporaryFolder(isInMemory: true)
      // Only the synchronizer saves, so that nothing is saved between its steps.
      let engine = PreferencesEngine(.system)
      engine.configuration.commitDelay = .seconds(3600)
      store = PreferencesStore(fileAt: folder.path("store.plist"), engine: engine)
      var options = PreferencesSynchronizer.Options()
      options.uploadInterval = .zero
      options.retryDelays = .seconds(3600)...Duration.seconds(3600)
      synchronizer = PreferencesSynchronizer(
        store: store, remote: remote, stateFileAt: folder.path("sync.plist"), options: options,
        now: { [hook, savingHook] in
          Self.isSaving ? savingHook.call() : hook.call()
          return Date(timeIntervalSinceReferenceDate: 3000)
        })
      synchronizer.onFailure { [failures] in failures.record("\($0)") }
      synchronizer.add(["k", "l"])
    }

    deinit {
      synchronizer.cancel()
      try? store.flush()
    }

    /// Whether this is a synchronizer's saving thread.
    private static var isSaving: Bool {
      let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
      return name == "larder-sync\n"
    }

    func removeFile() {
      try? FileManager.default.removeItem(atPath: folder.path("store.plist"))
      store.synchronize()
    }
  }

  @Test("A file that is removed while values are compared is not a removal of them")
  func removedWhileComparing() async throws {
    let machine = try HookedMachine()
    machine.store.set(1, forKey: "k")
    try await machine.synchronizer.waitForCompletion()
    machine.hook.set { [unowned machine] in machine.removeFile() }
    for _ in 0..<2 { try await machine.synchronizer.waitForCompletion() }
    #expect(machine.hook.wasCalled)
    #expect(machine.store.plistValue(forKey: "k") == 1)
    #expect(try machine.remote.value() == 1)
  }

  @Test("A file that is removed while values are saved is not a removal of them")
  func removedWhileSaving() async throws {
    let machine = try HookedMachine()
    machine.store.set(1, forKey: "k")
    try await machine.synchronizer.waitForCompletion()
    machine.savingHook.set { [unowned machine] in machine.removeFile() }
    try await machine.remote.put(2, at: 5000)
    for _ in 0..<3 { try await machine.synchronizer.waitForCompletion() }
    #expect(machine.savingHook.wasCalled)
    #expect(machine.store.plistValue(forKey: "k") == 2)
    #expect(try machine.remote.value() == 2)
  }

  @Test("A store that is read-only keeps its values to itself")
  func readOnly() async throws {
    let remote = InMemoryRemoteStore()
    let machine = try Machine(remote)
    machine.store.set("old", forKey: "k")
    try await machine.wait()
    try machine.stop()
    var options = PreferencesStore.Options()
    options.arguments = []
    options.isReadOnly = true
    machine.start(
      store: PreferencesStore(fileAt: machine.folder.path("store.plist"), options: options))
    machine.clock.set(3000)
    try await remote.put("new", at: 2000)
    for _ in 0..<3 {
      await #expect(throws: SynchronizationError.self) { try await machine.wait() }
    }
    #expect(try remote.value() == "new")
    #expect(machine.takeFailures().last?.hasSuffix("store.plist: the store is read-only") == true)
  }

  @Test("A state file that is removed meanwhile is written again as a whole")
  func removedStateFile() async throws {
    let remote = InMemoryRemoteStore()
    let machine = try Machine(remote, starts: false)
    machine.start(["k", "l"])
    machine.store.set("old", forKey: "k")
    try await machine.wait()
    remote.isReachable = false
    #expect(await eventually { !machine.synchronizer.isConnected })
    machine.clock.set(2000)
    machine.store.set("new", forKey: "k")
    #expect(try await eventually { try machine.savedEntry()?.isPending == true })
    try FileManager.default.removeItem(atPath: machine.stateFilePath)
    machine.store.set(1, forKey: "l")
    #expect(try await eventually { try machine.savedEntry("l") != nil })
    try machine.stop()
    remote.isReachable = true
    machine.start(["k", "l"])
    try await machine.wait()
    #expect(machine.value == "new")
    #expect(try remote.value() == "new")
  }

  // MARK: Other processes

  @Test("What the last user of the state file has saved is no change")
  func successor() async throws {
    await #expect(processExitsWith: .success) {
      // Changes by another process are not detected automatically.
      PreferencesStore.runtimeConfiguration.watchesFiles = false
      let remote = InMemoryRemoteStore()
      let machine = try Machine(remote)
      machine.store.set("old", forKey: "k")
      try await machine.wait()
      try machine.stop()
      let state = PreferencesStore(fileAt: machine.stateFilePath)
      var claim = try state.claimOwnFile()
      try #require(claim).markHeld()
      machine.clock.set(3000)
      machine.start()
      await #expect(throws: SynchronizationError.self) { try await machine.wait() }

      let date = Date(timeIntervalSinceReferenceDate: 2000)
      try await remote.put("new", at: 2000)
      let entry = StateFileEntry(
        record: try SyncRecord(date: date, value: "new"), isPending: false, isUndated: false)
      try machine.folder.write(Plist.write(["k": "new"], as: .xml), to: "store.plist")
      let data = try machine.folder.data("state/sync.plist")
      guard case .dictionary(var values) = try Plist.read(data).value else {
        throw CocoaError(.fileReadCorruptFile)
      }
      values["k"] = entry.value
      try machine.folder.write(Plist.write(.dictionary(values), as: .xml), to: "state/sync.plist")
      claim = nil
      try await machine.wait()
      #expect(machine.value == "new")
      #expect(try remote.value() == "new")
    }
  }

  @Test("A value that another process has just saved is not replaced by an earlier remote one")
  func otherProcess() async throws {
    await #expect(processExitsWith: .success) {
      PreferencesStore.runtimeConfiguration.watchesFiles = false
      let remote = InMemoryRemoteStore()
      let machine = try Machine(remote)
      machine.store.set("old", forKey: "k")
      try await machine.wait()
      try machine.folder.write(Plist.write(["k": "theirs"], as: .xml), to: "store.plist")
      machine.clock.set(3000)
      try await remote.put("new", at: 2000)
      #expect(try await eventually { try remote.value() == "theirs" })
      #expect(machine.value == "theirs")
    }
  }
}
