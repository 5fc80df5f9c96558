import FoundationEssentials
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing
import Threading

@testable import Preferences
@testable import PreferencesSync

@Suite("Rejections and restores of the remote store", .timeLimit(.minutes(10)))
struct RemoteFailureTests {
  let remote = InMemoryRemoteStore()

  @Test("A rejected value stops its key until it has another one, and no other key")
  func rejection() async throws {
    let machine = try Machine(remote, starts: false)
    machine.start(["k", "l"])
    try await machine.wait()
    remote.intercept { point in
      if point == .beforePut("k") { throw InMemoryRemoteStore.Rejection(reason: "too large") }
    }
    machine.store.set("large", forKey: "k")
    let failure = "the remote store rejected the value of the key k: too large"
    #expect(await eventually { machine.takeFailures() == [failure] })
    machine.clock.set(2000)
    machine.store.set(1, forKey: "l")
    await #expect { try await machine.wait() } throws: { "\($0)" == failure }
    #expect(try remote.value("l") == 1)
    #expect(try machine.savedEntry()?.isPending == true)
    remote.intercept(nil)
    await #expect(throws: SynchronizationError.self) { try await machine.wait() }
    machine.store.set("small", forKey: "k")
    try await machine.wait()
    #expect(try remote.value() == "small")
    #expect(machine.takeFailures() == [])
  }

  @Test("Changes of others arrive while the remote store refuses uploads, and without a snapshot")
  func refusedUploads() async throws {
    struct Refusal: Error {}
    let machine = try Machine(remote, starts: false)
    machine.start(["k", "l", "m"])
    try await machine.wait()
    let refused = Lock(0)
    remote.intercept { point in
      guard point == .beforePut("k") else { return }
      refused.withLock { $0 += 1 }
      throw Refusal()
    }
    machine.store.set("here", forKey: "k")
    #expect(await eventually { machine.synchronizer.status.isUploadFailing })
    let counts = remote.counts
    for value in ["one", "two"] {
      try await remote.put(.string(value), at: value == "one" ? 9000 : 9001, forKey: "l")
      #expect(await eventually { machine.store.string(forKey: "l") == value })
      machine.synchronizer.synchronize()
      #expect(await eventually { refused.withLock { $0 } == (value == "one" ? 2 : 3) })
    }
    #expect(machine.synchronizer.isConnected)
    #expect(machine.takeFailures().count == 3)
    remote.intercept(nil)
    machine.synchronizer.synchronize()
    #expect(await eventually { try! remote.value() == "here" })
    #expect(await eventually { !machine.synchronizer.status.isUploadFailing })
    #expect(remote.counts.streams == counts.streams)
    // Those of the test, one for each put.
    #expect(remote.counts.snapshots == counts.snapshots + 2)
  }

  @Test("Another entry at a revision that was seen is that of a store that was restored")
  func sameRevision() async throws {
    let folder = try TemporaryFolder()
    let store = PreferencesStore(fileAt: folder.path("store.plist"))
    let restorable = RestorableRemoteStore()
    let synchronizer = PreferencesSynchronizer(
      store: store, remote: restorable, stateFileAt: folder.path("sync.plist"))
    synchronizer.add(["k"])
    store.set(1, forKey: "k")
    try await synchronizer.waitForCompletion()
    let other = InMemoryRemoteStore()
    try await other.put("there", at: Date.now.timeIntervalSinceReferenceDate + 100)
    #expect(try await other.entries().revision == restorable.store.entries().revision)
    restorable.restore(other)
    try await synchronizer.waitForCompletion()
    #expect(store.string(forKey: "k") == "there")
    try await store.flush()
  }

  @Test("A mark that always conflicts is not counted as noted")
  func conflictingMark() async throws {
    struct Conflicting: RemoteStore {
      func entries() async throws -> RemoteSnapshot { RemoteSnapshot(entries: [], revision: 1) }
      func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult] {
        changes.map { change in
          .conflict(
            current: RemoteEntry(
              key: change.key, data: Data(), revision: change.replacedRevision + 1))
        }
      }
      func changes(after revision: Int64) -> AsyncThrowingStream<RemoteUpdate, any Error> {
        AsyncThrowingStream { $0.finish() }
      }
    }
    await #expect(throws: RemoteStoreError.inconsistent(key: "machine/one")) {
      try await Registry(Conflicting()).put(
        MachineMark(revision: 1, date: .now), ofMachine: "one")
    }
  }

  @Test("A later remote value replaces a rejected one")
  func rejectionReplaced() async throws {
    let machine = try Machine(remote)
    try await machine.wait()
    remote.intercept { point in
      if point == .beforePut("k") { throw InMemoryRemoteStore.Rejection(reason: "too large") }
    }
    machine.store.set("large", forKey: "k")
    #expect(await eventually { machine.takeFailures().count == 1 })
    remote.intercept(nil)
    try await remote.put("there", at: 9000)
    try await machine.wait()
    #expect(machine.value == "there")
  }

  /// A remote store that can be replaced by a backup.
  private final class RestorableRemoteStore: RemoteStore {
    private let current = Lock(InMemoryRemoteStore())

    var store: InMemoryRemoteStore { current.withLock { $0 } }

    func restore(_ backup: InMemoryRemoteStore) {
      let old = store
      current.withLock { $0 = backup }
      old.isReachable = false
    }

    func entries() async throws -> RemoteSnapshot { try await store.entries() }

    func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult] {
      try await store.apply(changes)
    }

    func changes(after revision: Int64) -> AsyncThrowingStream<RemoteUpdate, any Error> {
      store.changes(after: revision)
    }
  }

  @Test(
    "Lost values are uploaded to a store that was restored from a backup",
    arguments: [true, false], [true, false])
  func restoration(hasEntry: Bool, isChanged: Bool) async throws {
    let folder = try TemporaryFolder()
    let store = PreferencesStore(fileAt: folder.path("store.plist"))
    let restorable = RestorableRemoteStore()
    let synchronizer = PreferencesSynchronizer(
      store: store, remote: restorable, stateFileAt: folder.path("sync.plist"))
    synchronizer.add(["k"])
    for number in 1...5 {
      store.set(number, forKey: "k")
      try await synchronizer.waitForCompletion()
    }
    let backup = InMemoryRemoteStore()
    if hasEntry { try await backup.put(1, at: 10) }
    restorable.restore(backup)
    if isChanged { store.set(6, forKey: "k") }
    try await synchronizer.waitForCompletion()
    #expect(try backup.value() == (isChanged ? 6 : 5))
    #expect(store.integer(forKey: "k") == (isChanged ? 6 : 5))
    try await store.flush()
  }
}
