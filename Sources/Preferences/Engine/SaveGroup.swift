internal import Synchronization
internal import Threading

/// Saves several domains at once while the caller waits, up to a time limit.
///
/// Each is saved in its turn on a thread of the engine. At the limit, a save in progress is left to
/// its thread, and the others do not begin.
final class SaveGroup: Sendable {
  typealias Failure = (file: DomainFile, error: PreferencesError)

  private struct State {
    /// The domains without a result yet.
    var waiting: [ObjectIdentifier: DomainFile] = [:]
    var failures: [Failure] = []
    var delivery = Delivery()
  }

  /// How long a commit may still run after a lock timeout before it is left to its thread.
  private static let patience = Duration.milliseconds(250)
  /// The pause after an attempt that saved no domain.
  private static let pause = Duration.milliseconds(20)
  /// How often a caller that may be canceled checks for cancellation.
  private static let slice = Duration.milliseconds(20)

  private let end = AutoResetEvent()
  private let state = Lock(State())
  /// Whether the caller has stopped waiting. Set while the state is locked.
  private let isOver = Atomic(false)

  private init() {}

  /// Saves domains and returns the failures. If the calling thread has the turn of a domain, the
  /// domain fails: an update cannot save its own domain.
  static func save(
    _ files: [DomainFile], within limit: TimeLimit, _ delivery: inout Delivery
  ) -> [Failure] {
    var failures = files.filter(\.lane.isHeldHere).map { file in
      Failure(file, .withinUpdate(path: file.path ?? ""))
    }
    var waiting = failures.isEmpty ? files : files.filter { !$0.lane.isHeldHere }
    // Locked files, and files that lacked descriptors or memory, are retried in the remaining time
    // when the others are done.
    let lastDeadline = limit.deadline - min(Self.patience, limit.duration / 8)
    var lockDeadline = min(.now + limit.rest / 4, lastDeadline)
    while true {
      let new = SaveGroup().save(waiting, within: limit, locksUntil: lockDeadline, &delivery)
      let late = new.filter { [.time, .shortage].contains($0.error.cause) }
      failures += new.filter { ![.time, .shortage].contains($0.error.cause) }
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
          Lane.Job(pool: file.runtime.savers, priority: 1) {
            self.save(file, within: limit.ending(by: deadline))
          })
      }
      if file.runtime.savers?.run(priority: 1, save) != true { save() }
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

  private func save(_ file: DomainFile, within limit: TimeLimit) {
    if isOver.load(ordering: .relaxed) { return }
    var failure: PreferencesError?
    var delivery = Delivery()
    do throws(PreferencesError) {
      try file.commit(within: limit, &delivery)
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
    if isLate { delivery.deliverAsynchronously(by: file.runtime.deliveries) }
    if isLast { end.signal() }
  }
}
