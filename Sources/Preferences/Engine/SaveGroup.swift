internal import Synchronization
internal import Threading

/// Several domains that are saved at once, for a caller that waits for all of them no longer than until
/// a limit.
///
/// Each is saved on a thread of the engine in its turn. What is not done at the limit is left to its
/// thread, or not begun.
final class SaveGroup: Sendable {
  /// A domain that was not saved, and why.
  typealias Failure = (file: DomainFile, error: PreferencesError)

  private struct State {
    /// The domains of which it is not known whether they were saved.
    var waiting: [ObjectIdentifier: DomainFile] = [:]
    var failures: [Failure] = []
    var delivery = Delivery()
  }

  /// The time that a commit has to end after it has waited in vain, before it is left to its thread.
  private static let patience = Duration.milliseconds(250)
  /// The pause after an attempt in which no domain was saved.
  private static let pause = Duration.milliseconds(20)
  /// The longest time after which a caller that may be canceled checks for that.
  private static let slice = Duration.milliseconds(20)

  private let end = AutoResetEvent()
  private let state = Lock(State())
  /// Whether the caller no longer waits. Set while the state is locked.
  private let isOver = Atomic(false)

  private init() {}

  /// Saves domains.
  ///
  /// - Returns: The domains that were not saved. Those whose turn the calling thread has are among them:
  ///   an update cannot save within itself.
  static func save(
    _ files: [DomainFile], within limit: TimeLimit, _ delivery: inout Delivery
  ) -> [Failure] {
    var failures = files.filter(\.lane.isHeldHere).map { file in
      Failure(file, .withinUpdate(path: file.path ?? ""))
    }
    var waiting = failures.isEmpty ? files : files.filter { !$0.lane.isHeldHere }
    // A file that is locked, perhaps for a moment, is tried again with the rest of the time when the
    // others are done; so is one for which descriptors or memory were missing.
    let lastDeadline = limit.deadline - min(Self.patience, limit.duration / 8)
    var lockDeadline = min(.now + limit.rest / 4, lastDeadline)
    while true {
      let new = SaveGroup().save(waiting, within: limit, locksUntil: lockDeadline, &delivery)
      let late = new.filter { $0.error.mayPass }
      failures += new.filter { !$0.error.mayPass }
      if late.isEmpty || lastDeadline <= .now || Cancellation.isRequested {
        return failures + late
      }
      if late.count == waiting.count { min(pause, limit.rest).sleep() }
      waiting = late.map(\.file)
      lockDeadline = lastDeadline
    }
  }

  private func save(
    _ files: [DomainFile], within limit: TimeLimit, locksUntil deadline: ContinuousClock.Instant,
    _ delivery: inout Delivery
  ) -> [Failure] {
    state.withLock { state in
      for file in files { state.waiting[ObjectIdentifier(file)] = file }
    }
    for file in files {
      let save: @Sendable () -> Void = {
        if self.isOver.load(ordering: .relaxed) { return }
        file.lane.run(
          Lane.Job(on: file.engine.savers, priority: 1) { self.save(file, within: limit, deadline) }
        )
      }
      if file.engine.savers?.run(priority: 1, save) != true { save() }
    }
    WorkerPool.noteWait()
    while limit.rest > .zero, !Cancellation.isRequested,
      state.withLock({ !$0.waiting.isEmpty })
    {
      let slice = Cancellation.isPossible ? min(limit.rest, Self.slice) : limit.rest
      ForkGate.shared.allowingForks { end.wait(for: slice) }
    }
    let result = state.withLock { state in
      isOver.store(true, ordering: .relaxed)
      return exchange(&state, with: State())
    }
    delivery.add(result.delivery)
    return result.failures
      + files.filter { result.waiting[ObjectIdentifier($0)] != nil }.map { file in
        Failure(file, .saveTimeout(path: file.path ?? "", waited: limit.duration))
      }
  }

  /// Saves a domain whose turn has come.
  private func save(
    _ file: DomainFile, within limit: TimeLimit, _ deadline: ContinuousClock.Instant
  ) {
    if isOver.load(ordering: .relaxed) { return }
    var failure: PreferencesError?
    var delivery = Delivery()
    do throws(PreferencesError) {
      try file.commit(within: limit, locksUntil: deadline, &delivery)
    } catch {
      failure = error
    }
    let (isLate, isLast) = state.withLock { [failure, delivery] state -> (Bool, Bool) in
      if isOver.load(ordering: .relaxed) { return (true, false) }
      state.waiting[ObjectIdentifier(file)] = nil
      if let failure { state.failures.append((file, failure)) }
      state.delivery.add(delivery)
      return (false, state.waiting.isEmpty)
    }
    if isLate { delivery.deliverAsynchronously(by: file.engine) }
    if isLast { end.signal() }
  }
}
