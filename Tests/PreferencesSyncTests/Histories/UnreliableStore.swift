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
  }

  private struct State {
    var faults: Set<Fault> = []
    var hasAnswered = false
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
      return isRefused
    }
    if isRefused { throw RemoteStoreError.unreachable }
  }

  // MARK: RemoteStore

  /// The remote store's clock runs on between its answers, as the clocks of the machines do.
  var latestContact: RemoteContact? {
    state.withLock { $0.hasAnswered } ? RemoteContact(endpoint: nil, date: clock.now) : nil
  }

  func entries() async throws -> RemoteSnapshot {
    try check()
    let snapshot = try await store.entries()
    try check()
    return snapshot
  }

  func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult] {
    try check(for: [.refusedChanges])
    let results = try await store.apply(changes)
    try check(for: [.lostAnswers])
    return results
  }

  func apply(
    _ changes: [RemoteChange], with other: RemoteChange, of part: any RemoteStore
  ) async throws -> [RemoteChangeResult]? {
    guard let part = part as? UnreliableStore else { return nil }
    try check(for: [.refusedChanges])
    let results = try await store.apply(changes, with: other, of: part.store)
    try check(for: [.lostAnswers])
    return results
  }

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
