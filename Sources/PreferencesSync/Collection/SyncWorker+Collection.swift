internal import FoundationEssentials

/// Marks in the registry, and the collection of removals.
extension SyncWorker {
  /// Reads this machine's mark if its revision is not known: at first, and while the answer to an
  /// upload is missing. A cluster that elects a leader answers reads as soon as it has one, and
  /// unlike changes, reads can be repeated at another member.
  ///
  /// - Returns: Whether pending records were stored, so that a snapshot is needed.
  mutating func loadMark() async throws(SynchronizationError) -> Bool {
    guard markRevision == nil, let collector, let machine else { return false }
    let found: (mark: MachineMark?, revision: Int64)
    do {
      found = try await collector.registry.mark(ofMachine: machine.origin)
    } catch {
      throw .remote(error)
    }
    markRevision = found.revision
    guard let mark = found.mark else { return false }
    if !machine.hasWritten(mark) {
      // The other machine keeps that mark, and this machine gets a new one.
      self.machine = StateFileMachine()
      (isMachineUnsaved, nextMaintenance, markRevision) = (true, nil, 0)
    } else if mark.incarnation == machine.incarnation {
      self.machine?.mark = mark
      isMachineUnsaved = true
      return keys.values.contains { $0.isUpload(in: mark) }
    }
    return false
  }

  /// Applies changes, if possible in one transaction with a new mark of this machine.
  ///
  /// - Parameter uploads: The fingerprints of the records.
  mutating func apply(
    _ changes: [RemoteChange], uploads: [String]
  ) async throws -> [RemoteChangeResult] {
    // Unknown until there is an answer.
    let old = exchange(&markRevision, with: nil)
    if let registry = collector?.registry, let machine, let old {
      let all = answeredUploads + uploads
      var mark = MachineMark(
        revision: seenRevision, date: clock.now, incarnation: machine.incarnation,
        uploads: all.isEmpty ? nil : all.joined(separator: " "))
      let change = RemoteChange(
        key: Registry.key(ofMachine: machine.origin), data: try RegistryCoding.data(mark),
        replacing: old)
      var results =
        changes.isEmpty
        ? try await registry.store.apply([change])
        : try await remote.apply(changes, with: change, of: registry.store)
      if let result = results?.popLast() {
        switch result {
        case .stored(let revision):
          mark.uploads = nil
          self.machine?.mark = mark
          (markRevision, isMachineUnsaved, answeredUploads) = (revision, true, all)
          mayHaveLateUpload = false
        // If that is another mark, it is read.
        case .conflict(let current): markRevision = current?.revision ?? 0 == old ? old : nil
        case .rejected: throw RegistryError(key: change.key)
        }
        return results ?? []
      }
    }
    let results = try await remote.apply(changes)
    if collector != nil { answeredUploads += uploads }
    markRevision = old
    return results
  }

  /// Reads the record of collected removals, after the entries that may be missing because of them.
  ///
  /// - Parameter revision: The last known revision of the remote store. If the registry has a later
  ///   one, it belongs to a different remote store.
  mutating func loadCollectedRemovals(
    upTo revision: Int64
  ) async throws(SynchronizationError) {
    guard let collector else { return }
    do {
      let removals = try await collector.registry.collected().removals
      collectedRemovals = removals.flatMap { $0.revision <= revision ? $0 : nil }
    } catch {
      throw .remote(error)
    }
  }

  /// Records in the registry what this machine has seen, and collects removals, if either is due.
  ///
  /// An error is reported, and does not affect the synchronization of values.
  mutating func maintainRegistry() async throws(SynchronizationError) {
    guard let collector, let machine else { return }
    let interval = collector.options.markInterval
    let due = nextMaintenance ?? .now + firstPause(machine, interval)
    nextMaintenance = due
    if due > .now { return scheduleMaintenance() }
    maintenance?.cancel()
    maintenance = nil
    do {
      let now = clock.now
      let isOutdated = machine.mark?.isOutdated(
        newest: events.newestEntryRevision, seen: seenRevision, at: now,
        lifetime: collector.options.machineLifetime)
      if isOutdated ?? true, markRevision != nil {
        _ = try await apply([], uploads: [])
        if markRevision == nil {
          throw RemoteStoreError.inconsistent(key: Registry.key(ofMachine: machine.origin))
        }
      }
      try await collector.collectIfDue(at: now)
    } catch {
      if Task.isCancelled { return }
      events.report(.remote(error))
    }
    nextMaintenance = .now + interval * Double.random(in: 0.5...1)
    try await save()
    scheduleMaintenance()
  }

  /// How long to wait after a mark that an earlier run wrote.
  private func firstPause(_ machine: StateFileMachine, _ interval: Duration) -> Duration {
    guard let mark = machine.mark else { return .zero }
    let age = clock.now.timeIntervalSince(mark.date)
    let rest = interval / .seconds(1) - age
    return age >= 0 && rest > 0 ? .seconds(rest * Double.random(in: 0.5...1)) : .zero
  }

  /// Wakes the worker when it is time; an interval of zero needs no waking.
  private mutating func scheduleMaintenance() {
    guard let nextMaintenance, nextMaintenance > .now, maintenance == nil else { return }
    maintenance = Task { [events] in
      if (try? await Task.sleep(until: nextMaintenance, clock: .continuous)) != nil {
        events.post { _ in true }
      }
    }
  }
}
