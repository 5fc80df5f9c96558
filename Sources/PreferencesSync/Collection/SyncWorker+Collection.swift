internal import FoundationEssentials

/// Marks in the registry, and the collection of removals.
extension SyncWorker {
  /// Reads what is known of collected removals, after the entries that may be missing because of them.
  ///
  /// - Parameter revision: The revision up to which changes of the remote store are known. What lies
  ///   beyond it is of another one, to which the registry does not belong.
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

  /// Returns whether this machine has seen all removals that were collected, as records.
  var hasSeenCollectedRemovals: Bool { seenRevision >= collectedRemovals?.revision ?? 0 }

  /// Notes in the registry what this machine has seen, and collects removals, both if it is time.
  ///
  /// An error is reported, and does not disturb the synchronization of values.
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
      if needsMark(machine, at: now, lifetime: collector.options.machineLifetime) {
        let mark = MachineMark(revision: seenRevision, date: now)
        try await collector.registry.put(mark, ofMachine: machine.origin)
        self.machine?.mark = mark
        isMachineUnsaved = true
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

  /// How long to wait after a mark of an earlier run.
  private func firstPause(_ machine: StateFileMachine, _ interval: Duration) -> Duration {
    guard let mark = machine.mark else { return .zero }
    let age = clock.now.timeIntervalSince(mark.date)
    let rest = interval / .seconds(1) - age
    return age >= 0 && rest > 0 ? .seconds(rest * Double.random(in: 0.5...1)) : .zero
  }

  private func needsMark(
    _ machine: StateFileMachine, at now: Date, lifetime: Duration
  ) -> Bool {
    guard let mark = machine.mark else { return true }
    // A cluster that was set up again counts from the beginning.
    if events.newestEntryRevision > mark.revision || seenRevision < mark.revision { return true }
    let age = now.timeIntervalSince(mark.date)
    return age < 0 || age > lifetime / .seconds(1) / 4
  }

  /// Wakes the worker when it is time; an interval of zero needs no waking.
  private mutating func scheduleMaintenance() {
    guard let nextMaintenance, nextMaintenance > .now, maintenance == nil else { return }
    maintenance = Task { [events] in
      if (try? await Task.sleep(until: nextMaintenance, clock: .continuous)) != nil {
        events.requestMaintenance()
      }
    }
  }
}
