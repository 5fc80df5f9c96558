import Foundation
import PreferencesSync
import PreferencesSyncTesting
import Threading

/// The connection of one machine to a remote store in memory, which can fail.
final class UnreliableStore: RemoteStore {
  private struct State {
    var isReachable = true
    var losesAnswers = false
    var contact: RemoteContact?
    var streamCount = 0
    var streams: [Int: AsyncThrowingStream<RemoteUpdate, any Error>.Continuation] = [:]
  }

  private let store: InMemoryRemoteStore
  private let clock: Clock
  private let state = Lock(State())

  /// - Parameter clock: The clock of the remote store.
  init(_ store: InMemoryRemoteStore, clock: Clock) {
    self.store = store
    self.clock = clock
  }

  /// Whether the machine reaches the store. Setting it to false ends its streams.
  var isReachable: Bool {
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

  /// Whether changes take place, but their results are lost.
  var losesAnswers: Bool {
    get { state.withLock { $0.losesAnswers } }
    set { state.withLock { $0.losesAnswers = newValue } }
  }

  private func checkReachable() throws {
    let now = clock.now
    let isReachable = state.withLock { state in
      if state.isReachable { state.contact = RemoteContact(endpoint: nil, date: now) }
      return state.isReachable
    }
    if !isReachable { throw RemoteStoreError.unreachable }
  }

  // MARK: RemoteStore

  var latestContact: RemoteContact? { state.withLock { $0.contact } }

  func entries() async throws -> RemoteSnapshot {
    try checkReachable()
    let snapshot = try await store.entries()
    try checkReachable()
    return snapshot
  }

  func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult] {
    try checkReachable()
    let results = try await store.apply(changes)
    if losesAnswers { throw RemoteStoreError.unreachable }
    try checkReachable()
    return results
  }

  func changes(after revision: Int64) -> AsyncThrowingStream<RemoteUpdate, any Error> {
    AsyncThrowingStream { continuation in
      let number = state.withLock { state -> Int? in
        guard state.isReachable else { return nil }
        state.streamCount += 1
        state.streams[state.streamCount] = continuation
        return state.streamCount
      }
      guard let number else { return continuation.finish(throwing: RemoteStoreError.unreachable) }
      let task = Task { [store] in
        do {
          for try await update in store.changes(after: revision) { continuation.yield(update) }
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
