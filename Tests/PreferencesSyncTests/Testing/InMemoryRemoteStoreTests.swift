import FoundationEssentials
import Testing
import PreferencesSyncTesting

@testable import PreferencesSync

@Suite("The remote store in memory does what tests need")
struct InMemoryRemoteStoreTests {
  struct Failure: Error, Equatable {}

  @Test("It counts what it is asked for")
  func counts() async throws {
    let store = InMemoryRemoteStore()
    #expect(try await store.put(Data([1]), forKey: "k", replacing: 0) == .stored(revision: 1))
    _ = try await store.put(Data([2]), forKey: "k", replacing: 0)
    _ = try await store.entries()
    for try await entry in store.changes(after: 0) {
      #expect(entry == RemoteEntry(key: "k", data: Data([1]), revision: 1))
      break
    }
    var counts = InMemoryRemoteStore.Counts()
    counts.puts = 1
    counts.refusals = 1
    counts.snapshots = 1
    counts.streams = 1
    #expect(store.counts == counts)
  }

  @Test("A put fails before it takes place, or after, as it is told to")
  func interception() async throws {
    let store = InMemoryRemoteStore()
    store.intercept { if $0 == .beforePut("a") || $0 == .afterPut("b") { throw Failure() } }
    for key in ["a", "b"] {
      await #expect(throws: Failure.self) {
        _ = try await store.put(Data(), forKey: key, replacing: 0)
      }
    }
    store.intercept(nil)
    #expect(try await store.entries().entries.map(\.key) == ["b"])
  }

  @Test("What it has forgotten it does not tell of")
  func history() async throws {
    let store = InMemoryRemoteStore()
    for key in ["a", "b"] { _ = try await store.put(Data(), forKey: key, replacing: 0) }
    store.compact()
    await #expect(throws: RemoteStoreError.revisionCompacted) {
      for try await _ in store.changes(after: 1) {}
    }
    _ = try await store.put(Data(), forKey: "c", replacing: 0)
    for try await entry in store.changes(after: 2) {
      #expect(entry.key == "c")
      break
    }
    #expect(try store.record(forKey: "none") == nil)
    #expect(throws: SyncRecordError.self) { try store.record(forKey: "c") }
  }
}
