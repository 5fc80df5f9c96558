import FoundationEssentials
import PreferencesSyncTesting
import TestSupport
import Testing

@testable import PreferencesSync

@Suite("The remote store in memory counts calls and injects faults")
struct InMemoryRemoteStoreTests {
  struct Failure: Error, Equatable {}

  @Test("It counts calls")
  func counts() async throws {
    let store = InMemoryRemoteStore()
    #expect(try await store.put(Data([1]), forKey: "k", replacing: 0) == .stored(revision: 1))
    _ = try await store.put(Data([2]), forKey: "k", replacing: 0)
    _ = try await store.entries()
    for try await update in store.changes(after: 0) {
      let entry = RemoteEntry(key: "k", data: Data([1]), revision: 1)
      #expect(update == RemoteUpdate(entries: [entry], revision: 1))
      break
    }
    var counts = InMemoryRemoteStore.Counts()
    counts.puts = 1
    counts.conflicts = 1
    counts.batches = 2
    counts.snapshots = 1
    counts.streams = 1
    #expect(store.counts == counts)
  }

  @Test(
    "A put fails before it takes place or after",
    arguments: [(.beforePut("k"), []), (.afterPut("k"), ["k"])]
      as [(InMemoryRemoteStore.FaultPoint, [String])])
  func interception(point: InMemoryRemoteStore.FaultPoint, stored: [String]) async throws {
    let store = InMemoryRemoteStore()
    store.intercept { if $0 == point { throw Failure() } }
    await #expect(throws: Failure.self) {
      _ = try await store.put(Data(), forKey: "k", replacing: 0)
    }
    store.intercept(nil)
    #expect(try await store.entries().entries.map(\.key) == stored)
  }

  @Test("Compacted changes are no longer available")
  func compaction() async throws {
    let store = InMemoryRemoteStore()
    for key in ["a", "b"] { _ = try await store.put(Data(), forKey: key, replacing: 0) }
    store.compact()
    await #expect(throws: RemoteStoreError.revisionCompacted) {
      for try await _ in store.changes(after: 1) {}
    }
    _ = try await store.put(Data(), forKey: "c", replacing: 0)
    for try await update in store.changes(after: 2) {
      #expect(update.entries.map(\.key) == ["c"])
      break
    }
    #expect(try store.record(forKey: "none") == nil)
    #expect(throws: SyncRecordError.self) { try store.record(forKey: "c") }
  }

  @Test("Tasks that read changes can be canceled while some are made", .timeLimit(.minutes(5)))
  func cancellation() async throws {
    let store = InMemoryRemoteStore()
    let writer = Task {
      var revision: Int64 = 0
      while !Task.isCancelled {
        let result = try await store.put(Data(), forKey: "k", replacing: revision)
        guard case .stored(let new) = result else { throw Failure() }
        revision = new
      }
    }
    // On a new thread, because a thread of the task pool would be blocked while it waits for a
    // lock.
    let readers = TestThread {
      for _ in 0..<100 {
        let hasBegun = Latch()
        let reader = Task {
          let present = try await store.entries().revision
          for try await _ in store.changes(after: present) { hasBegun.open() }
        }
        hasBegun.wait()
        reader.cancel()
      }
    }
    try #require(await eventually { readers.isFinished })
    writer.cancel()
    do {
      try await writer.value
    } catch is CancellationError {
      // It was about to put.
    }
  }
}
