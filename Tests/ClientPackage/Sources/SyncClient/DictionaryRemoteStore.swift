import Foundation
import PreferencesSync

/// A remote store in an actor, as the documentation of `RemoteStore` describes it.
actor DictionaryRemoteStore: RemoteStore {
  private var current: [[UInt8]: RemoteEntry] = [:]
  private var history: [RemoteUpdate] = []
  private var streams: [AsyncThrowingStream<RemoteUpdate, any Error>.Continuation] = []
  private var isReachable = true

  func setReachable(_ isReachable: Bool) {
    self.isReachable = isReachable
    if isReachable { return }
    for stream in streams { stream.finish(throwing: RemoteStoreError.unreachable) }
    streams = []
  }

  func entries() throws -> RemoteSnapshot {
    guard isReachable else { throw RemoteStoreError.unreachable }
    return RemoteSnapshot(entries: Array(current.values), revision: Int64(history.count))
  }

  func apply(_ changes: [RemoteChange]) throws -> [RemoteChangeResult] {
    guard isReachable else { throw RemoteStoreError.unreachable }
    return changes.map { change in
      let key = Array(change.key.utf8)
      let present = current[key]
      guard change.replacedRevision == present?.revision ?? 0 else {
        return .conflict(current: present)
      }
      let revision = Int64(history.count) + 1
      let entry = change.data.map { RemoteEntry(key: change.key, data: $0, revision: revision) }
      current[key] = entry
      let update = RemoteUpdate(
        entries: entry.map { [$0] } ?? [], removedKeys: entry == nil ? [change.key] : [],
        revision: revision)
      history.append(update)
      for stream in streams { stream.yield(update) }
      return .stored(revision: revision)
    }
  }

  nonisolated func changes(
    after revision: Int64
  ) -> AsyncThrowingStream<RemoteUpdate, any Error> {
    AsyncThrowingStream { continuation in
      Task { await start(continuation, after: revision) }
    }
  }

  private func start(
    _ stream: AsyncThrowingStream<RemoteUpdate, any Error>.Continuation, after revision: Int64
  ) {
    guard isReachable else { return stream.finish(throwing: RemoteStoreError.unreachable) }
    for update in history where update.revision > revision { stream.yield(update) }
    streams.append(stream)
  }
}
