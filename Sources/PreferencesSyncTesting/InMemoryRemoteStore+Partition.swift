public import PreferencesSync

extension InMemoryRemoteStore: PartitionedRemoteStore {
  /// Returns the remote store of the entries whose keys begin with a prefix.
  public func partition(_ prefix: String) -> any RemoteStore {
    Partition(whole: self, prefix: prefix)
  }

  /// The entries whose keys begin with a prefix.
  private struct Partition: RemoteStore {
    let whole: InMemoryRemoteStore
    let prefix: String

    func entries() async throws -> RemoteSnapshot {
      var snapshot = try await whole.entries()
      snapshot.entries = snapshot.entries.compactMap { part($0) }
      return snapshot
    }

    func entry(forKey key: String, at revision: Int64?) async throws -> RemoteEntry? {
      try await whole.entry(forKey: prefix + key, at: revision).flatMap { part($0) }
    }

    func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult] {
      try await whole.apply(changes.map { whole($0) }).map { part($0) }
    }

    func apply(
      _ changes: [RemoteChange], with other: RemoteChange, of part: any RemoteStore
    ) async throws -> [RemoteChangeResult]? {
      guard let neighbor = part as? Partition, neighbor.whole === whole else { return nil }
      var results = try await whole.apply(
        changes.map { whole($0) } + [neighbor.whole(other)], isTransaction: true)
      let last = results.popLast().map { neighbor.part($0) }
      return results.map { self.part($0) } + [last].compactMap(\.self)
    }

    func changes(after revision: Int64) -> AsyncThrowingStream<RemoteUpdate, any Error> {
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: RemoteUpdate.self)
      let task = Task {
        do {
          for try await update in whole.changes(after: revision) {
            continuation.yield(
              RemoteUpdate(
                entries: update.entries.compactMap { part($0) },
                removedKeys: update.removedKeys.compactMap { part($0) },
                revision: update.revision))
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
      return stream
    }

    var latestContact: RemoteContact? { whole.latestContact }

    func contacts() async -> [RemoteContact] { await whole.contacts() }

    private func whole(_ change: RemoteChange) -> RemoteChange {
      RemoteChange(
        key: prefix + change.key, data: change.data, replacing: change.replacedRevision)
    }

    private func part(_ result: RemoteChangeResult) -> RemoteChangeResult {
      guard case .conflict(let current?) = result else { return result }
      return .conflict(current: part(current))
    }

    private func part(_ entry: RemoteEntry) -> RemoteEntry? {
      part(entry.key).map { RemoteEntry(key: $0, data: entry.data, revision: entry.revision) }
    }

    private func part(_ key: String) -> String? {
      guard key.utf8.starts(with: prefix.utf8) else { return nil }
      return String(key.utf8.dropFirst(prefix.utf8.count))
    }
  }
}
