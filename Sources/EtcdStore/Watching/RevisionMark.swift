internal import FoundationEssentials

/// What tells a revision of a store from one of the same number in another history, which a cluster
/// has that was restored from a backup and has gone on from there.
struct RevisionMark: Sendable {
  /// The number of entries.
  private var count: Int64
  /// The entries put at the latest revision of any put. Empty if the store is empty, or if all of them
  /// have been removed.
  private var newest: [KeyValue]

  /// - Parameter newest: One of the entries put last; nil if the store is empty.
  init(count: Int64, newest: KeyValue?) {
    self.count = count
    self.newest = newest.map { [$0] } ?? []
  }

  /// Advances to the revision of an event.
  mutating func add(_ event: WatchAnswer.Event) {
    guard let entry = event.entry else { return }
    if event.isRemoval {
      count -= 1
      newest.removeAll { $0.key == entry.key }
    } else {
      if entry.version?.value == 1 { count += 1 }
      newest.removeAll { $0.revision != entry.revision || $0.key == entry.key }
      newest.append(entry)
    }
  }

  /// Compares what is known of the revision with what a member has there.
  func agrees(with other: RevisionMark) -> Bool {
    count == other.count && newest.isEmpty == other.newest.isEmpty
      && other.newest.allSatisfy(newest.contains)
  }
}
