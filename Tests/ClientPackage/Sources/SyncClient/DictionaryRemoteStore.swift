import Foundation
import PreferencesSync

/// A remote store in an actor, as the documentation of `RemoteStore` describes it.
actor DictionaryRemoteStore: RemoteStore {
  private var current: [[UInt8]: RemoteEntry] = [:]
  private var history: [RemoteEntry] = []
  private var streams: [AsyncThrowingStream<RemoteEntry, any Error>.Continuation] = []
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

  func put(
    _ data: Data, forKey key: String, replacing revision: Int64
  ) throws -> RemotePutResult {
    guard isReachable else { throw RemoteStoreError.unreachable }
    let present = current[Array(key.utf8)]
    guard revision == present?.revision ?? 0 else { return .conflict(current: present) }
    let entry = RemoteEntry(key: key, data: data, revision: Int64(history.count) + 1)
    current[Array(key.utf8)] = entry
    history.append(entry)
    for stream in streams { stream.yield(entry) }
    return .stored(revision: entry.revision)
  }

  nonisolated func changes(
    after revision: Int64
  ) -> AsyncThrowingStream<RemoteEntry, any Error> {
    AsyncThrowingStream { continuation in
      Task { await start(continuation, after: revision) }
    }
  }

  private func start(
    _ stream: AsyncThrowingStream<RemoteEntry, any Error>.Continuation, after revision: Int64
  ) {
    guard isReachable else { return stream.finish(throwing: RemoteStoreError.unreachable) }
    for entry in history where entry.revision > revision { stream.yield(entry) }
    streams.append(stream)
  }
}
