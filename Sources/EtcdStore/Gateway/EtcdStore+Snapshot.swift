internal import FoundationEssentials
internal import PreferencesSync

extension RemoteEntry {
  /// Roughly how many bytes of memory an entry takes in addition to its key and data.
  static let overhead = 128
}

extension EtcdStore {
  /// The number of entries of a page, unless they are large.
  private static let largestPage: Int64 = 512
  /// How many times reading is restarted because the revision was compacted.
  private static let attempts = 3

  /// Reads all entries as of one revision, page by page.
  func readEntries() async throws -> RemoteSnapshot {
    for _ in 1..<Self.attempts {
      do {
        return try await pages()
      } catch let error as GatewayError where error.isCompacted {
        continue
      }
    }
    return try await pages()
  }

  private func pages() async throws -> RemoteSnapshot {
    var entries: [RemoteEntry] = []
    var size = 0
    var start = keys.start
    var revision: Int64?
    var limit = Self.largestPage
    while true {
      let request = RangeRequest(
        key: start, rangeEnd: keys.end, limit: GatewayNumber(limit),
        revision: revision.map { GatewayNumber($0) })
      let answer: RangeAnswer
      do {
        answer = try await client.call(.range, request, isRepeatable: true)
      } catch let error as EtcdError {
        guard case .tooLarge = error.kind, limit > 1 else { throw error }
        limit = max(limit / 8, 1)
        continue
      }
      guard let current = revision ?? answer.header?.revision?.value else {
        throw EtcdError(.notEtcd(status: 200))
      }
      revision = current
      for entry in answer.kvs ?? [] {
        guard let name = entry.key, let number = entry.modRevision?.value, number > 0 else {
          throw EtcdError(.notEtcd(status: 200))
        }
        size += name.count + (entry.value?.count ?? 0) + RemoteEntry.overhead
        if size > client.options.largestStore {
          throw EtcdError(.tooLarge(limit: client.options.largestStore))
        }
        // A name that is not UTF-8 does not belong to a preference.
        guard let key = keys.key(of: name) else { continue }
        entries.append(RemoteEntry(key: key, data: entry.value ?? Data(), revision: number))
      }
      guard answer.more == true, let last = answer.kvs?.last?.key else {
        return RemoteSnapshot(entries: entries, revision: current)
      }
      start = last + [0]
    }
  }
}
