public import FoundationEssentials
internal import Preferences
public import PreferencesSync
internal import Threading

/// A remote store within the process, for tests: several synchronizers can share it, and it fails when it
/// is told to.
public final class InMemoryRemoteStore: RemoteStore {
  /// How often the store was asked for what.
  public struct Counts: Sendable, Hashable {
    /// Puts that took place.
    public var puts = 0
    /// Puts that did not, because there was another entry.
    public var refusals = 0
    /// Looks at all entries.
    public var snapshots = 0
    /// Streams of changes.
    public var streams = 0

    /// None of all.
    public init() {}
  }

  /// A point in a call at which it can be held up, or made to fail.
  public enum FaultPoint: Sendable, Hashable {
    /// Before a key is put.
    case beforePut(String)
    /// After a key was put, or refused, and before the caller hears of it.
    case afterPut(String)
    /// Before all entries are looked at.
    case beforeSnapshot
  }

  private struct State {
    var entries: [ByteKey: RemoteEntry] = [:]
    /// The latest puts, the last one at the end.
    var history: [RemoteEntry] = []
    var revision: Int64 = 0
    var streams: [Int: AsyncThrowingStream<RemoteEntry, any Error>.Continuation] = [:]
    var isReachable = true
    var counts = Counts()
    var interception: (@Sendable (FaultPoint) async throws -> Void)?

    mutating func put(
      _ data: Data, forKey key: String, replacing expected: Int64
    ) -> RemotePutResult {
      let present = entries[ByteKey(key)]
      guard present?.revision ?? 0 == expected else {
        counts.refusals += 1
        return .refused(present)
      }
      revision += 1
      counts.puts += 1
      let entry = RemoteEntry(key: key, data: data, revision: revision)
      entries[ByteKey(key)] = entry
      history.append(entry)
      // Within the lock, so that streams have the order of revisions.
      for stream in streams.values { stream.yield(entry) }
      return .stored(revision: revision)
    }
  }

  private let state = Lock(State())

  /// An empty store that can be reached.
  public init() {}

  // MARK: What tests see and do

  /// Whether the store can be reached; when it no longer can, all streams of changes end.
  public var isReachable: Bool {
    get { state.withLock { $0.isReachable } }
    set {
      let ended = state.withLock { state in
        state.isReachable = newValue
        defer { if !newValue { state.streams = [:] } }
        return newValue ? [:] : state.streams
      }
      for stream in ended.values { stream.finish(throwing: RemoteStoreError.unreachable) }
    }
  }

  /// Calls the closure at certain points of each call, which waits for it, and fails as it fails.
  public func intercept(_ body: (@Sendable (FaultPoint) async throws -> Void)?) {
    state.withLock { $0.interception = body }
  }

  /// How often the store was asked for what.
  public var counts: Counts { state.withLock { $0.counts } }

  /// The record of a key; nil where there is none.
  public func record(forKey key: String) throws -> SyncRecord? {
    try state.withLock { $0.entries[ByteKey(key)] }.map { try SyncRecord($0.data) }
  }

  /// Forgets what has changed when, as stores do after a while; all streams of changes end.
  public func compact() {
    let ended = state.withLock { state in
      state.history = []
      defer { state.streams = [:] }
      return state.streams
    }
    for stream in ended.values { stream.finish(throwing: RemoteStoreError.unreachable) }
  }

  // MARK: What synchronizers do

  private func reach(_ moment: FaultPoint) async throws {
    try await state.withLock { $0.interception }?(moment)
    try Task.checkCancellation()
    guard isReachable else { throw RemoteStoreError.unreachable }
  }

  /// All entries, as they are at one moment.
  public func entries() async throws -> RemoteSnapshot {
    try await reach(.beforeSnapshot)
    return state.withLock { state in
      state.counts.snapshots += 1
      return RemoteSnapshot(entries: Array(state.entries.values), revision: state.revision)
    }
  }

  /// Puts bytes in the place of those that came with a certain revision.
  public func put(
    _ data: Data, forKey key: String, replacing revision: Int64
  ) async throws -> RemotePutResult {
    try await reach(.beforePut(key))
    let result = state.withLock { $0.put(data, forKey: key, replacing: revision) }
    try await reach(.afterPut(key))
    return result
  }

  /// The entries that are put after a revision.
  public func changes(after revision: Int64) -> AsyncThrowingStream<RemoteEntry, any Error> {
    AsyncThrowingStream { continuation in
      let (number, error) = state.withLock { state -> (Int, RemoteStoreError?) in
        state.counts.streams += 1
        let number = state.counts.streams
        guard state.isReachable else { return (number, .unreachable) }
        // A put that nobody knows of any longer lies between.
        let first = state.history.first?.revision ?? state.revision + 1
        guard revision >= first - 1 else { return (number, .revisionCompacted) }
        for entry in state.history where entry.revision > revision { continuation.yield(entry) }
        state.streams[number] = continuation
        return (number, nil)
      }
      if let error { return continuation.finish(throwing: error) }
      continuation.onTermination = { [weak self] _ in
        self?.endStream(number)
      }
    }
  }

  private func endStream(_ number: Int) {
    let ended = state.withLock { $0.streams.removeValue(forKey: number) }
    withExtendedLifetime(ended) {}
  }
}
