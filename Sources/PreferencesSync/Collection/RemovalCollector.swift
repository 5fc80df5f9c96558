internal import FoundationEssentials

/// Removes the records of removals that no machine needs anymore from the remote store.
struct RemovalCollector: Sendable {
  let remote: any RemoteStore
  let registry: Registry
  let options: PreferencesSynchronizer.Options

  /// An entry larger than this cannot be the record of a removal.
  private static let largestRemoval = 512
  /// How long the mark of an absent machine is kept.
  private static let markLifetime = Duration.seconds(365 * 86_400)

  /// Collects, unless a machine has done so within the interval of collections.
  func collectIfDue(at now: Date) async throws {
    let old = try await registry.collected()
    if let last = old.removals?.checkDate {
      // A date in the future comes from a wrong clock.
      let age = now.timeIntervalSince(last)
      if age >= 0, age < options.collectionInterval / .seconds(1) { return }
    }
    var claimed = old.removals ?? CollectedRemovals(checkDate: now)
    claimed.checkDate = now
    // If several machines find that collection is due at the same time, only one continues.
    guard let revision = try await registry.replace(old, with: claimed) else { return }
    try await collect((claimed, revision), at: now)
  }

  private func collect(_ known: Registry.Collected, at now: Date) async throws {
    let marks = try await registry.marks()
    let oldest = now - options.machineLifetime / .seconds(1)
    let dropped = now - max(options.machineLifetime, Self.markLifetime) / .seconds(1)
    try await registry.store.remove(marks.filter { $0.mark.date < dropped }.map(\.entry))
    let seen = marks.filter { $0.mark.date >= oldest }.map(\.mark.revision).min() ?? 0

    var collected: [RemoteEntry] = []
    guard var removals = known.removals else { return }
    for entry in try await remote.entries().entries {
      guard let record = removal(entry), isCollectable(record, entry, seen: seen, at: now) else {
        continue
      }
      collected.append(entry)
      removals.add(record, revision: entry.revision)
    }
    if collected.isEmpty { return }
    // This comes before the records are deleted, so that a machine that misses a record can
    // determine why.
    guard try await registry.replace(known, with: removals) != nil else { return }
    try await remote.remove(collected)
  }

  /// The record of an entry, if it is a removal.
  private func removal(_ entry: RemoteEntry) -> SyncRecord? {
    guard entry.data.count <= Self.largestRemoval, let record = try? SyncRecord(entry.data),
      record.value == nil
    else { return nil }
    return record
  }

  private func isCollectable(
    _ record: SyncRecord, _ entry: RemoteEntry, seen: Int64, at now: Date
  ) -> Bool {
    // All later changes must get a later time than the record, even by a clock that is behind.
    let age = now.timeIntervalSince(record.date)
    if age < options.clockTolerance / .seconds(1) * 2 { return false }
    return entry.revision <= seen || age >= options.removalLifetime / .seconds(1)
  }
}
