/// How far the stream of remote changes is received and merged.
struct StreamProgress: Sendable {
  /// All changes up to this revision are received.
  private(set) var received: Int64 = 0
  /// All changes up to this revision are merged.
  private(set) var merged: Int64 = 0
  /// The greatest revision of an entry.
  private(set) var newestEntry: Int64 = 0
  /// The revision of the last update that concerns synchronized keys.
  private var lastRelevant: Int64 = 0

  /// Begins after a revision. All changes up to it are merged.
  init(revision: Int64 = 0, newestEntry: Int64 = 0) {
    self.newestEntry = newestEntry
    received = revision
    merged = revision
    lastRelevant = revision
  }

  /// Records an update.
  ///
  /// - Parameter concernsKeys: Whether there is something to merge.
  mutating func receive(_ update: RemoteUpdate, concernsKeys: Bool) {
    received = max(received, update.revision)
    newestEntry = max(newestEntry, update.entries.last?.revision ?? 0)
    if concernsKeys { lastRelevant = received }
    settle()
  }

  /// Records that all changes up to a revision are merged.
  mutating func merge(upTo revision: Int64) {
    merged = max(merged, min(revision, received))
    settle()
  }

  /// Treats changes of other keys as merged if nothing before them is left to merge.
  private mutating func settle() {
    if merged >= lastRelevant { merged = received }
  }
}
