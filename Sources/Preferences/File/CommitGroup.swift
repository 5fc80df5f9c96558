internal import Threading

/// Several domains that are committed at once, for a caller that waits for all of them no longer than
/// until a deadline.
final class CommitGroup: Sendable {
  /// The threads that commit domains in the background, and at the end of the process.
  ///
  /// Few at once, since a disk does not get faster by more; one that is locked, or whose file system
  /// does not answer, is not counted for long.
  static let savers = WorkerPool(
    "larder-commit", width: 4, limit: 36, patience: .milliseconds(50))

  /// How much longer than its timeout a commit may take before it is left to its thread.
  private static let patience = Duration.milliseconds(250)

  private struct State {
    /// The domains of which it is not known whether they were committed.
    var waiting: [ObjectIdentifier: DomainFile] = [:]
    var failures: [(DomainFile, PreferencesError)] = []
    var delivery = Delivery()
    /// Whether the caller no longer waits.
    var isLate = false
  }

  private let deadline: ContinuousClock.Instant
  private let end = AutoResetEvent()
  private let state = Lock(State())

  private init(until deadline: ContinuousClock.Instant) {
    self.deadline = deadline
  }

  /// Commits domains.
  ///
  /// - Returns: The domains that could not be committed, and why.
  static func commit(
    _ files: [DomainFile], until deadline: ContinuousClock.Instant, _ delivery: inout Delivery
  ) -> [(DomainFile, PreferencesError)] {
    // A file that is locked, perhaps for a moment by another thread's commit, is tried again with all
    // of the remaining time when the others are done.
    let first = ContinuousClock.now + (deadline - .now) / 4
    let failures = CommitGroup(until: deadline).commit(files, until: first, &delivery)
    let late = failures.filter { $0.1.isTimeout }.map(\.0)
    if late.isEmpty || deadline <= .now { return failures }
    return failures.filter { !$0.1.isTimeout }
      + CommitGroup(until: deadline).commit(late, until: deadline, &delivery)
  }

  /// - Parameter lockDeadline: The time until which locks are waited for.
  private func commit(
    _ files: [DomainFile], until lockDeadline: ContinuousClock.Instant, _ delivery: inout Delivery
  ) -> [(DomainFile, PreferencesError)] {
    let start = ContinuousClock.now
    state.withLock { state in
      for file in files { state.waiting[ObjectIdentifier(file)] = file }
    }
    for file in files {
      let isRunning = Self.savers.run(for: ObjectIdentifier(file), priority: 1) {
        self.commit(file, until: lockDeadline)
      }
      // The system has no more threads.
      if !isRunning { commit(file, until: lockDeadline) }
    }
    let limit = min(deadline, lockDeadline) + Self.patience
    while limit > .now, state.withLock({ !$0.waiting.isEmpty }) {
      ForkGate.shared.allowingForks { end.wait(for: limit - .now) }
    }
    let (result, waiting) = state.withLock { state in
      state.isLate = true
      return (state, state.waiting)
    }
    delivery.add(result.delivery)
    let waited = ContinuousClock.now - start
    return result.failures
      + files.filter { waiting[ObjectIdentifier($0)] != nil }.map { file in
        (file, file.lockTimeout(waited: waited))
      }
  }

  /// Commits a domain, on one of several threads.
  private func commit(_ file: DomainFile, until lockDeadline: ContinuousClock.Instant) {
    if state.withLock({ $0.isLate }) { return }
    var failure: PreferencesError?
    var delivery = Delivery()
    do throws(PreferencesError) {
      try file.commit(timeout: max(.zero, lockDeadline - .now), &delivery)
    } catch {
      failure = error
    }
    let (isLate, isLast) = state.withLock { [failure, delivery] state -> (Bool, Bool) in
      if state.isLate { return (true, false) }
      state.waiting[ObjectIdentifier(file)] = nil
      if let failure { state.failures.append((file, failure)) }
      state.delivery.add(delivery)
      return (false, state.waiting.isEmpty)
    }
    if isLate { delivery.deliverAsynchronously() }
    if isLast { end.signal() }
  }
}
