import FoundationEssentials
import PropertyList
import TestSupport
import Testing

import Threading
import PreferencesSyncTesting
@testable import Preferences
@testable import PreferencesSync

@Suite("A remote store that has troubles of its own", .timeLimit(.minutes(10)))
struct RemoteTroubleTests {
  let remote = InMemoryRemoteStore()

  @Test("A value that it never takes stops its key until it has another one, and no other key")
  func rejection() async throws {
    let machine = try Machine(remote, starts: false)
    machine.start(["k", "l"])
    try await machine.wait()
    remote.intercept { moment in
      if moment == .beforePut("k") { throw RemoteStoreError.rejected(reason: "too large") }
    }
    machine.store.set("large", forKey: "k")
    let failure = "the remote store does not take the value of the key k: too large"
    #expect(await eventually { machine.takeFailures() == [failure] })
    machine.clock.set(2000)
    machine.store.set(1, forKey: "l")
    await #expect { try await machine.wait() } throws: { "\($0)" == failure }
    #expect(try remote.value("l") == 1)
    #expect(try machine.remembered()?.isPending == true)
    remote.intercept(nil)
    await #expect(throws: SynchronizationError.self) { try await machine.wait() }
    machine.store.set("small", forKey: "k")
    try await machine.wait()
    #expect(try remote.value() == "small")
    #expect(machine.takeFailures() == [])
  }

  @Test("What is later elsewhere ends that, too")
  func rejectionReplaced() async throws {
    let machine = try Machine(remote)
    try await machine.wait()
    remote.intercept { moment in
      if moment == .beforePut("k") { throw RemoteStoreError.rejected(reason: "too large") }
    }
    machine.store.set("large", forKey: "k")
    #expect(await eventually { machine.takeFailures().count == 1 })
    remote.intercept(nil)
    try await remote.put("there", at: 9000)
    try await machine.wait()
    #expect(machine.value == "there")
  }

  /// Puts things on their way to a store that is now and then replaced by a copy of an earlier state.
  private final class Restorable: RemoteStore {
    private let current = Lock(InMemoryRemoteStore())

    var store: InMemoryRemoteStore { current.withLock { $0 } }

    func restore(_ copy: InMemoryRemoteStore) {
      let old = store
      current.withLock { $0 = copy }
      old.isReachable = false
    }

    func entries() async throws -> RemoteSnapshot { try await store.entries() }

    func put(
      _ data: Data, forKey key: String, replacing revision: Int64
    ) async throws -> RemotePutResult {
      try await store.put(data, forKey: key, replacing: revision)
    }

    func changes(after revision: Int64) -> AsyncThrowingStream<RemoteEntry, any Error> {
      store.changes(after: revision)
    }
  }

  @Test(
    "One that was brought back from a copy gets what it has lost",
    arguments: [true, false], [true, false])
  func restoration(hasEntry: Bool, isChanged: Bool) async throws {
    let folder = try TemporaryFolder()
    let store = PreferencesStore(fileAt: folder.path("store.plist"))
    let restorable = Restorable()
    let synchronizer = PreferencesSynchronizer(
      store: store, remote: restorable, stateFileAt: folder.path("queue.plist"))
    synchronizer.add(["k"])
    for number in 1...5 {
      store.set(number, forKey: "k")
      try await synchronizer.waitForCompletion()
    }
    let copy = InMemoryRemoteStore()
    if hasEntry { try await copy.put(1, at: 10) }
    restorable.restore(copy)
    if isChanged { store.set(6, forKey: "k") }
    try await synchronizer.waitForCompletion()
    #expect(try copy.value() == (isChanged ? 6 : 5))
    #expect(store.integer(forKey: "k") == (isChanged ? 6 : 5))
    try store.flush()
  }
}
