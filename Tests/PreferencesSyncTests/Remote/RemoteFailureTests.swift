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
