import Foundation
import PreferencesSync
import Threading

/// The connection of one machine to a remote store in memory, which can fail.
final class UnreliableStore: RemoteStore {
  /// What is wrong with the connection. Several faults may last at the same time.
  enum Fault: CaseIterable {
    /// Calls do not reach the store, and streams end.
    case unreachable
    /// Changes take place, but their results are lost.
    case lostAnswers
    /// Changes are refused, and everything else works.
    case refusedChanges
    /// Calls are refused, as with an expired token, and streams continue.
    case lostLogIn
    /// Streams deliver nothing, and end with the fault.
    case wedgedStreams
    /// Calls are not answered in time, and their changes wait for ``UnreliableStore/makeLateChanges()``.
    case delayed
  }

  private struct State {
    var faults: Set<Fault> = []
    var hasAnswered = false
    var refusedCount = 0
    var late: [@Sendable () async throws -> Void] = []
    var streamCount = 0
    var streams: [Int: AsyncThrowingStream<RemoteUpdate, any Error>.Continuation] = [:]
  }

  private let store: any RemoteStore
  private let clock: Clock
  private let state = Lock(State())

  /// - Parameter clock: The clock of the remote store.
  init(_ store: any RemoteStore, clock: Clock) {
    self.store = store
    self.clock = clock
  }

  /// What is wrong at present.
  var faults: Set<Fault> {
    get { state.withLock { $0.faults } }
    set {
      let ended = state.withLock {
        state -> [AsyncThrowingStream<RemoteUpdate, any Error>.Continuation] in
        let isWedgeOver =
          state.faults.contains(.wedgedStreams) && !newValue.contains(.wedgedStreams)
        state.faults = newValue
        guard newValue.contains(.unreachable) || isWedgeOver else { return [] }
        defer { state.streams = [:] }
        return Array(state.streams.values)
      }
      for stream in ended { stream.finish(throwing: RemoteStoreError.unreachable) }
    }
  }

  private func check(for faults: Set<Fault> = []) throws {
    let isRefused = state.withLock { state in
      let isRefused = !state.faults.isDisjoint(with: faults.union([.unreachable, .lostLogIn]))
      state.hasAnswered = state.hasAnswered || !isRefused
      if state.faults.intersection(faults).contains(.refusedChanges) { state.refusedCount += 1 }
      return isRefused
    }
    if isRefused { throw RemoteStoreError.unreachable }
  }

  // MARK: RemoteStore

  /// The remote store's clock runs on between its answers, as the clocks of the machines do.
  var latestContact: RemoteContact? {
    state.withLock { $0.hasAnswered } ? RemoteContact(endpoint: nil, date: clock.now) : nil
  }

  /// All servers have the same time.
  func contacts() async -> [RemoteContact] {
    let contact = (try? check(for: [.delayed])).flatMap { latestContact }
    return contact.map { [$0, $0, $0] } ?? []
  }

  func entries() async throws -> RemoteSnapshot {
    try check(for: [.delayed])
    let snapshot = try await store.entries()
    try check(for: [.delayed])
    return snapshot
  }

  func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult] {
    try await change { [store] in try await store.apply(changes) }
  }

  func apply(
    _ changes: [RemoteChange], with other: RemoteChange, of part: any RemoteStore
  ) async throws -> [RemoteChangeResult]? {
    guard let part = (part as? UnreliableStore)?.store else { return nil }
    return try await change { [store] in try await store.apply(changes, with: other, of: part) }
  }

  private func change<Results>(
    _ body: @escaping @Sendable () async throws -> Results
  ) async throws -> Results {
    try check(for: [.refusedChanges])
    let isDelayed = state.withLock { state in
      let isDelayed = state.faults.contains(.delayed)
      if isDelayed { state.late.append { _ = try await body() } }
      return isDelayed
    }
    if isDelayed { throw RemoteStoreError.unreachable }
    let results = try await body()
    try check(for: [.lostAnswers])
    return results
  }

  /// How many calls with changes were refused.
  var refusedCount: Int { state.withLock { $0.refusedCount } }

  /// How many calls have changes that can still take place.
  var lateCount: Int { state.withLock { $0.late.count } }

  /// Makes the changes of delayed calls, if entries have not changed since.
  func makeLateChanges() async throws {
    let late = state.withLock { state in
      defer { state.late = [] }
      return state.late
    }
    for change in late { try await change() }
  }

  /// The changes of delayed calls never take place.
  func dropLateChanges() { state.withLock { $0.late = [] } }

  func changes(after revision: Int64) -> AsyncThrowingStream<RemoteUpdate, any Error> {
    AsyncThrowingStream { continuation in
      let number = state.withLock { state -> Int? in
        guard state.faults.isDisjoint(with: [.unreachable, .lostLogIn]) else { return nil }
        state.streamCount += 1
        state.streams[state.streamCount] = continuation
        return state.streamCount
      }
      guard let number else { return continuation.finish(throwing: RemoteStoreError.unreachable) }
      let task = Task { [store] in
        do {
          for try await update in store.changes(after: revision)
          where !faults.contains(.wedgedStreams) { continuation.yield(update) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { [weak self] _ in
        task.cancel()
        let ended = self?.state.withLock { $0.streams.removeValue(forKey: number) }
        // Released outside the lock.
        withExtendedLifetime(ended) {}
      }
    }
  }
}
