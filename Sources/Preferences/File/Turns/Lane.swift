internal import Threading

/// Turns at a domain's file: one thread at a time loads, reloads, commits or recovers it.
///
/// A thread that waits for its turn then does its work itself, so the closure of an update runs on
/// the thread that passed it. A job runs on a thread of a pool. A getter waits only until the file
/// has been read, not for the end of the turn.
///
/// Observers and event handlers are called after the turn, so they never wait for themselves. A
/// nested turn at the same file on the same thread is refused at once. Forks do not wait for turns;
/// in a forked child the file is free.
final class Lane: Sendable {
  typealias Work = TurnQueue<Waiter>.Work
  fileprivate typealias Number = TurnQueue<Waiter>.Number

  enum Waiter {
    case thread(Wait)
    case job(Job)
  }

  /// Work that no thread waits for.
  struct Job: Sendable {
    /// Runs the job if it must wait; nil for the thread that ends the previous turn.
    let pool: WorkerPool?
    let priority: WorkerPool.Priority
    /// Takes the turn that is reserved for it.
    let body: @Sendable () -> Void
    /// Called after the turn and its observers.
    var afterwards: @Sendable () -> Void = {}
  }

  final class Wait: @unchecked Sendable {
    // Sendable because the outcome is accessed only under the state lock.
    fileprivate enum Outcome {
      case turn(Number)
      /// The file has been read.
      case read
    }

    fileprivate var outcome: Outcome?
    fileprivate let event = AutoResetEvent()
  }

  private struct State {
    var queue = TurnQueue<Waiter>()
    /// `Fork.count` of the queue's process.
    var forks = Fork.count
  }

  private let state = Guarded(State())

  /// The priority of waiting threads relative to the calls of tasks.
  private static let threadPriority: WorkerPool.Priority = 25
  /// How often a cancelable wait checks for cancellation.
  private static let slice = Duration.milliseconds(20)

  /// Calls a closure with the queue. A forked child drops its parent's queue.
  private func withQueue<Result>(_ body: (inout TurnQueue<Waiter>) -> Result) -> Result {
    // Released without the lock: jobs may own a user's objects.
    var dropped: TurnQueue<Waiter>?
    defer { withExtendedLifetime(dropped) {} }
    return StateLock.change { change in
      if change[state].forks != Fork.count {
        dropped = change[state].queue
        change[state].queue.reset()
        change[state].forks = Fork.count
      }
      return body(&change[state].queue)
    }
  }

  // MARK: Turns of waiting threads

  /// Whether the calling thread is using its turn.
  var isHeldHere: Bool { Visit.current(of: self)?.isInUse ?? false }

  /// The file, if the calling thread has locked it in its turn.
  func lockedFile(_ turn: borrowing Turn) -> (any LockedDomainFile)? {
    Visit.current(of: self)?.lockedFile
  }

  /// Records the file that the calling thread has locked in its turn; nil for none.
  func setLockedFile(_ file: (any LockedDomainFile)?, _ turn: borrowing Turn) {
    Visit.current(of: self)?.lockedFile = file
  }

  /// Waits for a turn and calls a closure in it.
  ///
  /// - Parameter isReader: Whether the wait also ends when another turn reads the file.
  /// - Returns: Nil if there was no turn before the deadline, the wait was canceled or no longer
  ///   necessary, or the thread is already using its turn.
  func withTurn<Result, Failure: Error>(
    until deadline: ContinuousClock.Instant?, isReader: Bool = false,
    _ body: (borrowing Turn) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    if let visit = Visit.current(of: self) {
      return visit.isInUse ? nil : try visit.use(body)
    }
    var next: Next?
    defer { run(next) }
    return try Self.delivering { () throws(Failure) -> Result? in
      guard case .turn(let turn) = wait(until: deadline, isReader: isReader) else { return nil }
      defer { next = end(turn) }
      return try Visit(self).run { (visit) throws(Failure) in try visit.use(body) }
    }
  }

  /// Calls a closure within the turn that the calling thread is already using.
  func withinTurn<Failure: Error>(
    _ body: (borrowing Turn) throws(Failure) -> Void
  ) throws(Failure) {
    if isHeldHere { try body(Turn()) }
  }

  /// Calls a closure that takes a turn, inside the ``ForkGate``, and then the observers and
  /// handlers of its changes.
  private static func delivering<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Delivery.batchingNotifications { () throws(Failure) in
      try ForkGate.shared.delayingForks(body)
    }
  }

  /// Resumes the getters that wait for the file to be read.
  func noteRead() {
    for case .thread(let wait) in withQueue({ queue in
      let readers = queue.takeReaders()
      for case .thread(let wait) in readers { wait.outcome = .read }
      return readers
    }) { wait.event.signal() }
  }

  /// Returns nil if there was no turn in time.
  private func wait(
    until deadline: ContinuousClock.Instant?, isReader: Bool
  ) -> Wait.Outcome? {
    assert(!ForkGate.shared.holdsLock, "a thread that holds a lock waits for a file")
    var ticket: PriorityQueue<Waiter>.Ticket?
    var wait: Wait?
    let turn = withQueue { queue -> Number? in
      if let turn = queue.begin() { return turn }
      let new = Wait()
      wait = new
      ticket = queue.append(.thread(new), priority: Self.threadPriority, isReader: isReader)
      return nil
    }
    if let turn { return .turn(turn) }
    guard let wait, let ticket else { return nil }
    WorkerPool.noteWait()
    while true {
      let rest = deadline.map { max(.zero, $0 - .now) } ?? .seconds(60)
      let slice = Cancellation.isPossible ? min(rest, Self.slice) : rest
      ForkGate.shared.allowingForks { wait.event.wait(for: slice) }
      let isLate = deadline.map { $0 <= .now } ?? false
      let givesUp = isLate || Cancellation.isRequested
      let outcome = withQueue { queue -> Wait.Outcome? in
        if wait.outcome == nil, givesUp { _ = queue.remove(ticket) }
        return wait.outcome
      }
      if outcome != nil || givesUp { return outcome }
    }
  }

  /// A job that is left to the thread that ended the previous turn.
  private typealias Next = (job: Job, turn: Number)

  /// Ends a turn and begins the next one.
  private func end(_ turn: Number) -> Next? {
    let next = withQueue { queue in
      let next = queue.end(turn)
      if let next, case .thread(let wait) = next.waiter { wait.outcome = .turn(next.turn) }
      return next
    }
    guard let (turn, waiter) = next else { return nil }
    switch waiter {
    case .thread(let wait): wait.event.signal()
    case .job(let job):
      let isTaken = job.pool?.run(priority: job.priority) { self.run((job, turn)) } ?? false
      return isTaken ? nil : (job, turn)
    }
    return nil
  }

  // MARK: Turns in the background

  /// Runs a job on this thread if the file is free, otherwise in its turn on a thread of its pool.
  func run(_ job: Job) {
    let turn = withQueue { queue -> Number? in
      if let turn = queue.begin() { return turn }
      _ = queue.append(.job(job), priority: job.priority)
      return nil
    }
    if let turn { run((job, turn)) }
  }

  /// Runs a job whose turn has begun, and the jobs that are then left to this thread.
  private func run(_ first: Next?) {
    var next = first
    while let (job, turn) = next {
      Self.delivering {
        defer { next = end(turn) }
        Visit(self).run { _ in job.body() }
      }
      job.afterwards()
    }
  }

  /// Adds work to the next background turn, where `perform` does all work added so far.
  func request(
    _ work: Work, on pool: WorkerPool?, _ perform: @escaping @Sendable (Work) -> Void
  ) {
    guard withQueue({ $0.add(work) }) else { return }
    run(Job(pool: pool, priority: 0) { perform(self.withQueue { $0.takeWork() }) })
  }
}

/// Proof that the calling thread has the turn, and may load, reload and commit the file.
struct Turn: ~Copyable {
  fileprivate init() {}
}

/// A thread's turn, in use or reserved.
private final class Visit {
  private static let innermost = ThreadLocal<Visit>()

  private let lane: Lane
  private let outer: Visit?
  private(set) var isInUse = false
  var lockedFile: (any LockedDomainFile)?

  init(_ lane: Lane) {
    self.lane = lane
    outer = Self.innermost.value
  }

  static func current(of lane: Lane) -> Visit? {
    var visit = innermost.value
    while let current = visit, current.lane !== lane { visit = current.outer }
    return visit
  }

  func run<Result, Failure: Error>(
    _ body: (Visit) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Self.innermost.withValue(self) { () throws(Failure) in try body(self) }
  }

  /// Calls a closure that uses the turn.
  func use<Result, Failure: Error>(
    _ body: (borrowing Turn) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    isInUse = true
    HeldLocks.didLock()
    defer {
      HeldLocks.willUnlock()
      isInUse = false
    }
    return try body(Turn())
  }
}
