public import FoundationEssentials
internal import Preferences
public import PreferencesSync
internal import PropertyList
internal import Threading

/// A remote store in memory for tests, which several synchronizers can share, with fault injection.
public final class InMemoryRemoteStore: RemoteStore {
  /// The numbers of calls since the creation of the store.
  public struct Counts: Sendable, Hashable {
    /// Puts that were stored.
    public var puts = 0
    /// Removals that took place.
    public var removals = 0
    /// Puts and removals that conflicted.
    public var conflicts = 0
    /// Calls that applied any number of changes.
    public var batches = 0
    /// Snapshots of all entries.
    public var snapshots = 0
    /// Streams of changes.
    public var streams = 0

    /// Creates counts of zero.
    public init() {}
  }

  /// A point within a call where a test can delay it or make it fail.
  public enum FaultPoint: Sendable, Hashable {
    /// Before a key is put or removed. An error of the type ``Rejection`` rejects only this change.
    case beforePut(String)
    /// After a put or removal of a key took place or conflicted, before the call returns.
    case afterPut(String)
    /// Before a snapshot of all entries is taken.
    case beforeSnapshot
  }

  /// An error that a test throws before a put to make the store reject it permanently.
  public struct Rejection: Error, Sendable, Hashable {
    /// The reason that the store gives.
    public var reason: String

    /// Creates a rejection with a reason.
    public init(reason: String) { self.reason = reason }
  }

  private typealias Stream = AsyncThrowingStream<RemoteUpdate, any Error>.Continuation

  /// What streams have not received yet.
  private enum Delivery {
    case update(RemoteUpdate, to: [Stream])
    case end(of: [Stream])
  }

  private struct State {
    var entries: [ByteKey: RemoteEntry] = [:]
    /// The changes since the last compaction, in the order of their revisions.
    var history: [RemoteUpdate] = []
    var revision: Int64 = 0
    var streams: [Int: Stream] = [:]
    /// The pending deliveries, in the order of the changes.
    var deliveries: [Delivery] = []
    var isDelivering = false
    var isReachable = true
    var counts = Counts()
    var interceptor: (@Sendable (FaultPoint) async throws -> Void)?
    var clock: (@Sendable () -> Date)?
    var serverCount = 1
    var contact: RemoteContact?

    /// Applies changes, all with the same revision.
    ///
    /// - Parameters:
    ///   - rejections: The reasons why changes are rejected, by their position.
    ///   - isTransaction: Whether nothing changes unless all changes are made.
    mutating func apply(
      _ changes: [RemoteChange], rejections: [Int: String], isTransaction: Bool
    ) -> [RemoteChangeResult] {
      let current = changes.map { entries[ByteKey($0.key)] }
      if isTransaction,
        !rejections.isEmpty
          || zip(changes, current).contains(where: { $0.replacedRevision != $1?.revision ?? 0 })
      {
        counts.conflicts += changes.count - rejections.count
        return current.enumerated().map { number, entry in
          rejections[number].map { .rejected(reason: $0) } ?? .conflict(current: entry)
        }
      }
      let revision = revision + 1
      var changed = Set<ByteKey>()
      let results = changes.enumerated().map { number, change -> RemoteChangeResult in
        if let reason = rejections[number] { return .rejected(reason: reason) }
        let key = ByteKey(change.key)
        let current = entries[key]
        guard current?.revision ?? 0 == change.replacedRevision else {
          counts.conflicts += 1
          return .conflict(current: current)
        }
        entries[key] = change.data.map {
          RemoteEntry(key: change.key, data: $0, revision: revision)
        }
        counts.puts += change.data == nil ? 0 : 1
        counts.removals += change.data == nil ? 1 : 0
        changed.insert(key)
        return .stored(revision: revision)
      }
      counts.batches += 1
      if changed.isEmpty { return results }
      self.revision = revision
      let update = RemoteUpdate(
        entries: changed.compactMap { entries[$0] },
        removedKeys: changed.filter { entries[$0] == nil }.map(\.text), revision: revision)
      history.append(update)
      deliveries.append(.update(update, to: Array(streams.values)))
      return results
    }

    /// Ends all streams.
    mutating func endStreams() {
      deliveries.append(.end(of: Array(streams.values)))
      streams = [:]
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
      state.withLock { state in
        state.isReachable = newValue
        if !newValue { state.endStreams() }
      }
      deliver()
    }
  }

  /// Sets a closure that every call awaits at its fault points, and whose errors it throws; nil
  /// removes it.
  public func intercept(_ interceptor: (@Sendable (FaultPoint) async throws -> Void)?) {
    state.withLock { $0.interceptor = interceptor }
  }

  /// Sets the clock of the store.
  ///
  /// - Parameters:
  ///   - servers: The number of servers that have the same time.
  ///   - clock: Returns the time; nil for an unknown clock, which is the default.
  public func setClock(servers: Int = 1, _ clock: (@Sendable () -> Date)?) {
    state.withLock { state in
      state.clock = clock
      state.serverCount = servers
    }
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
    state.withLock { state in
      state.history = []
      state.endStreams()
    }
    deliver()
  }

  /// Entries with their history at one moment.
  package struct Backup: Sendable {
    fileprivate let entries: [ByteKey: RemoteEntry]
    fileprivate let history: [RemoteUpdate]
    fileprivate let revision: Int64
  }

  package var backup: Backup {
    state.withLock { state in
      Backup(entries: state.entries, history: state.history, revision: state.revision)
    }
  }

  /// Returns to what there was at an earlier moment. Later revisions are used again.
  package func restore(_ backup: Backup) {
    state.withLock { state in
      (state.entries, state.history) = (backup.entries, backup.history)
      state.revision = backup.revision
      state.endStreams()
    }
    deliver()
  }

  // MARK: RemoteStore

  private func pass(_ point: FaultPoint) async throws {
    try await state.withLock { $0.interceptor }?(point)
    try Task.checkCancellation()
    guard isReachable else { throw RemoteStoreError.unreachable }
    let date = state.withLock { $0.clock }?()
    state.withLock { $0.contact = RemoteContact(endpoint: "memory", date: date) }
  }

  /// The latest call that has reached the store, at the endpoint "memory".
  public var latestContact: RemoteContact? { state.withLock { $0.contact } }

  /// The time of each server.
  public func contacts() async -> [RemoteContact] {
    let (clock, count) = state.withLock { ($0.clock, $0.serverCount) }
    return Array(
      repeating: RemoteContact(endpoint: "memory", date: clock?()), count: isReachable ? count : 0)
  }

  /// Returns all entries as of one revision.
  ///
  /// - Throws: `RemoteStoreError.unreachable` while the store is not reachable, or the
  ///   interceptor's error.
  public func entries() async throws -> RemoteSnapshot {
    try await pass(.beforeSnapshot)
    return state.withLock { state in
      state.counts.snapshots += 1
      return RemoteSnapshot(entries: Array(state.entries.values), revision: state.revision)
    }
  }

  /// Returns the entry that a key has, or had at a revision in the history.
  ///
  /// - Throws: `RemoteStoreError.unreachable` while the store is not reachable.
  public func entry(forKey key: String, at revision: Int64?) async throws -> RemoteEntry? {
    guard isReachable else { throw RemoteStoreError.unreachable }
    return try state.withLock { state in
      guard let revision, revision != state.revision else { return state.entries[ByteKey(key)] }
      // If the first changes are gone, an entry may have been put by one of them.
      guard state.history.first?.revision == 1, revision < state.revision else {
        throw RemoteStoreError.revisionCompacted
      }
      let changes = state.history.prefix { $0.revision <= revision }
      let last = changes.last { update in
        (update.removedKeys + update.entries.map(\.key)).contains(where: key.hasSameBytes)
      }
      return last?.entries.first { key.hasSameBytes(as: $0.key) }
    }
  }

  /// Applies changes at once, with one revision.
  ///
  /// - Throws: `RemoteStoreError.unreachable` while the store is not reachable, or the
  ///   interceptor's error.
  public func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult] {
    try await apply(changes, isTransaction: false)
  }

  /// Applies changes at once.
  ///
  /// - Parameter isTransaction: Whether nothing changes unless all changes are made.
  func apply(
    _ changes: [RemoteChange], isTransaction: Bool
  ) async throws -> [RemoteChangeResult] {
    var rejections: [Int: String] = [:]
    for (number, change) in changes.enumerated() {
      do {
        try await pass(.beforePut(change.key))
      } catch let rejection as Rejection {
        rejections[number] = rejection.reason
      }
    }
    let results = state.withLock { [rejections] in
      $0.apply(changes, rejections: rejections, isTransaction: isTransaction)
    }
    deliver()
    for change in changes { try await pass(.afterPut(change.key)) }
    return results
  }

  /// Returns the changes after a revision.
  public func changes(after revision: Int64) -> AsyncThrowingStream<RemoteUpdate, any Error> {
    AsyncThrowingStream { continuation in
      let (number, error) = state.withLock { state -> (Int, RemoteStoreError?) in
        state.counts.streams += 1
        let number = state.counts.streams
        guard state.isReachable else { return (number, .unreachable) }
        let first = state.history.first?.revision ?? state.revision + 1
        guard revision >= first - 1 else { return (number, .revisionCompacted) }
        // No task reads it yet.
        for update in state.history where update.revision > revision { continuation.yield(update) }
        state.streams[number] = continuation
        return (number, nil)
      }
      if let error { return continuation.finish(throwing: error) }
      continuation.onTermination = { [weak self] _ in
        self?.endStream(number)
      }
    }
  }

  /// Delivers to the streams in order, unless another thread does so.
  ///
  /// No lock is held during this: to resume the task that reads a stream, the runtime waits for a
  /// thread that cancels this task, which may wait for the lock to end the stream.
  private func deliver() {
    let isFirst = state.withLock { !exchange(&$0.isDelivering, with: true) }
    guard isFirst else { return }
    HeldLocks.assertNone("updates are delivered with a lock held")
    while let delivery = nextDelivery() {
      switch delivery {
      case .update(let update, let streams): for stream in streams { stream.yield(update) }
      case .end(let streams):
        for stream in streams { stream.finish(throwing: RemoteStoreError.unreachable) }
      }
    }
  }

  /// Returns the next delivery; nil, which ends the delivery, if there is nothing.
  private func nextDelivery() -> Delivery? {
    state.withLock { state in
      state.isDelivering = !state.deliveries.isEmpty
      return state.isDelivering ? state.deliveries.removeFirst() : nil
    }
  }

  private func endStream(_ number: Int) {
    let ended = state.withLock { $0.streams.removeValue(forKey: number) }
    // Released outside the lock.
    withExtendedLifetime(ended) {}
  }
}
