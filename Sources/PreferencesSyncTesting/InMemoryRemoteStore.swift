public import FoundationEssentials
internal import Preferences
public import PreferencesSync
internal import Threading

/// A remote store in memory for tests, which several synchronizers can share, with fault injection.
public final class InMemoryRemoteStore: RemoteStore {
  /// The numbers of calls since the creation of the store.
  public struct Counts: Sendable, Hashable {
    /// Puts that were stored.
    public var puts = 0
    /// Puts that conflicted.
    public var conflicts = 0
    /// Snapshots of all entries.
    public var snapshots = 0
    /// Streams of changes.
    public var streams = 0

    /// Creates counts of zero.
    public init() {}
  }

  /// A point within a call at which a test can delay it or make it fail.
  public enum FaultPoint: Sendable, Hashable {
    /// Before a put to a key takes place.
    case beforePut(String)
    /// After a put to a key was stored or conflicted, before it returns.
    case afterPut(String)
    /// Before a snapshot of all entries is taken.
    case beforeSnapshot
  }

  private struct State {
    var entries: [ByteKey: RemoteEntry] = [:]
    /// The entries put since the last compaction, in the order of their revisions.
    var history: [RemoteEntry] = []
    var revision: Int64 = 0
    var streams: [Int: AsyncThrowingStream<RemoteEntry, any Error>.Continuation] = [:]
    var isReachable = true
    var counts = Counts()
    var interceptor: (@Sendable (FaultPoint) async throws -> Void)?

    mutating func put(
      _ data: Data, forKey key: String, replacing expected: Int64
    ) -> RemotePutResult {
      let current = entries[ByteKey(key)]
      guard current?.revision ?? 0 == expected else {
        counts.conflicts += 1
        return .conflict(current: current)
      }
      revision += 1
      counts.puts += 1
      let entry = RemoteEntry(key: key, data: data, revision: revision)
      entries[ByteKey(key)] = entry
      history.append(entry)
      // Within the lock, so that streams deliver entries in the order of revisions.
      for stream in streams.values { stream.yield(entry) }
      return .stored(revision: revision)
    }
  }

  private let state = Lock(State())

  /// Creates an empty, reachable store.
  public init() {}

  // MARK: Tests

  /// Whether the store can be reached. Setting it to false ends all streams of changes.
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

  /// Sets a closure that every call awaits at its fault points, and whose errors it throws; nil
  /// removes it.
  public func intercept(_ interceptor: (@Sendable (FaultPoint) async throws -> Void)?) {
    state.withLock { $0.interceptor = interceptor }
  }

  /// The numbers of calls so far.
  public var counts: Counts { state.withLock { $0.counts } }

  /// Returns the record of a key; nil if there is no entry.
  ///
  /// - Throws: `SyncRecordError` if the entry's data is not a record.
  public func record(forKey key: String) throws -> SyncRecord? {
    try state.withLock { $0.entries[ByteKey(key)] }.map { try SyncRecord($0.data) }
  }

  /// Compacts the history, as stores do from time to time: all streams of changes end, and the
  /// changes up to now are no longer available to new ones.
  public func compact() {
    let ended = state.withLock { state in
      state.history = []
      defer { state.streams = [:] }
      return state.streams
    }
    for stream in ended.values { stream.finish(throwing: RemoteStoreError.unreachable) }
  }

  // MARK: RemoteStore

  private func pass(_ point: FaultPoint) async throws {
    try await state.withLock { $0.interceptor }?(point)
    try Task.checkCancellation()
    guard isReachable else { throw RemoteStoreError.unreachable }
  }

  /// Returns all entries as of one revision.
  public func entries() async throws -> RemoteSnapshot {
    try await pass(.beforeSnapshot)
    return state.withLock { state in
      state.counts.snapshots += 1
      return RemoteSnapshot(entries: Array(state.entries.values), revision: state.revision)
    }
  }

  /// Replaces the entry of a key, provided that it still has a certain revision.
  public func put(
    _ data: Data, forKey key: String, replacing revision: Int64
  ) async throws -> RemotePutResult {
    try await pass(.beforePut(key))
    let result = state.withLock { $0.put(data, forKey: key, replacing: revision) }
    try await pass(.afterPut(key))
    return result
  }

  /// Returns the entries put after a revision.
  public func changes(after revision: Int64) -> AsyncThrowingStream<RemoteEntry, any Error> {
    AsyncThrowingStream { continuation in
      let (number, error) = state.withLock { state -> (Int, RemoteStoreError?) in
        state.counts.streams += 1
        let number = state.counts.streams
        guard state.isReachable else { return (number, .unreachable) }
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
    // Released outside the lock.
    withExtendedLifetime(ended) {}
  }
}
