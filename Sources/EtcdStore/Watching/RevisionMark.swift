internal import FoundationEssentials

/// Distinguishes a revision of a store from the same number in another history: a cluster restored
/// from a backup reuses numbers.
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
    guard let entry = event.kv else { return }
    if event.isRemoval {
      count -= 1
      newest.removeAll { $0.key == entry.key }
    } else {
      if entry.version?.value == 1 { count += 1 }
      newest.removeAll { $0.modRevision != entry.modRevision || $0.key == entry.key }
      newest.append(entry)
    }
  }

  /// Compares the known facts of the revision with a member's.
  func agrees(with other: RevisionMark) -> Bool {
    count == other.count && newest.isEmpty == other.newest.isEmpty
      && other.newest.allSatisfy(newest.contains)
  }
}
