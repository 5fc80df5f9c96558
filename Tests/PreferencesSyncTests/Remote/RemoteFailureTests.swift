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
    // The test takes one for each put.
    #expect(remote.counts.snapshots == counts.snapshots + 2)
  }

  @Test("Another entry at a revision that was seen is that of a store that was restored")
  func sameRevision() async throws {
    let empty = remote.backup
    let machine = try Machine(remote)
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    let revision = try await remote.entries().revision
    remote.restore(empty)
    try await remote.put("there", at: 2000)
    #expect(try await remote.entries().revision == revision)
    try await machine.wait()
    #expect(machine.value == "there")
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
    let folder = try TemporaryFolder()
    let store = PreferencesStore(fileAt: folder.path("store.plist"))
    let synchronizer = PreferencesSynchronizer(
      store: store, remote: remote, registry: Conflicting(), stateFileAt: folder.path("sync.plist"))
    let failures = Lock<[String]>([])
    synchronizer.onFailure { failure in failures.withLock { $0.append("\(failure)") } }
    synchronizer.add(["k"])
    try await synchronizer.waitForCompletion()
    let found = failures.withLock { $0 }
    #expect(
      found.count == 1
        && found[0].hasPrefix("the remote store gave no consistent answer for the key machine/"))
    synchronizer.cancel()
    let state = PreferencesStore(fileAt: folder.path("sync.plist"))
    let machine = StateFileMachine(state.plistValue(forKey: StateFileName.machine))
    #expect(machine != nil && machine?.mark == nil)
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

  @Test(
    "Lost values are uploaded to a store that was restored from a backup",
    arguments: [true, false], [true, false])
  func restoration(hasEntry: Bool, isChanged: Bool) async throws {
    let empty = remote.backup
    let machine = try Machine(remote)
    for number in 1...5 {
      machine.store.set(number, forKey: "k")
      try await machine.wait()
    }
    remote.restore(empty)
    if hasEntry { try await remote.put(1, at: 10) }
    if isChanged { machine.store.set(6, forKey: "k") }
    try await machine.wait()
    #expect(try remote.value() == (isChanged ? 6 : 5))
    #expect(machine.store.integer(forKey: "k") == (isChanged ? 6 : 5))
  }
}
