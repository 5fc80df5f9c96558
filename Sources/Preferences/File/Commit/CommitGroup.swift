internal import Glibc
internal import Threading

/// Several domains that are committed at once, for a caller that waits for all of them no longer than
/// until a deadline.
final class CommitGroup: Sendable {
  /// The threads that commit domains in the background, and at the end of the process.
  ///
  /// One that waits for a lock, or whose file system does not answer, is not counted.
  static let savers = WorkerPool(
    "larder-commit", width: width, limit: width + 32, patience: .seconds(1))

  /// The number of domains that are committed at once: enough to have the disk flush several files
  /// together, but with at most five descriptors each no more than the process can open beside others.
  private static let width = min(16, max(2, sysconf(Int32(_SC_OPEN_MAX)) / 8))

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

  private let end = AutoResetEvent()
  private let state = Lock(State())

  private init() {}

  /// Commits domains.
  ///
  /// - Returns: The domains that could not be committed, and why.
  static func commit(
    _ files: [DomainFile], until deadline: ContinuousClock.Instant, _ delivery: inout Delivery
  ) -> [(DomainFile, PreferencesError)] {
    // A file that is locked, perhaps for a moment by another thread's commit, is tried again with all
    // of the remaining time when the others are done; so is one for which descriptors or memory were
    // missing, as long as there is time.
    var lockDeadline = ContinuousClock.now + (deadline - .now) / 4
    var waiting = files
    var failures: [(DomainFile, PreferencesError)] = []
    while true {
      let new = CommitGroup().commit(waiting, until: lockDeadline, &delivery)
      failures += new.filter { !$0.1.mayPass }
      let late = new.filter { $0.1.mayPass }
      if late.isEmpty || deadline <= .now { return failures + late }
      if late.count == waiting.count { max(.zero, min(pause, deadline - .now)).sleep() }
      waiting = late.map(\.0)
      lockDeadline = deadline
    }
  }

  /// The pause after an attempt in which no domain was committed.
  private static let pause = Duration.milliseconds(20)

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
    let limit = lockDeadline + Self.patience
    while limit > .now, state.withLock({ !$0.waiting.isEmpty }) {
      ForkGate.shared.allowingForks { end.wait(for: limit - .now) }
    }
    let result = state.withLock { state in
      state.isLate = true
      return state
    }
    delivery.add(result.delivery)
    let waited = ContinuousClock.now - start
    return result.failures
      + files.filter { result.waiting[ObjectIdentifier($0)] != nil }.map { file in
        (file, file.timeout(after: waited))
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
