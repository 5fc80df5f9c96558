internal import FileStorage
internal import Threading

/// Gives out turns at the file of one domain: one thread at a time loads, reloads, commits or recovers it.
///
/// A turn is taken on the thread that asks for it, which waits for it, so that the closure of an update
/// runs where it was passed. Work for which no thread waits gets its turn on a thread of a pool. Whoever
/// only needs the file to have been read waits for that, and not for the end of the turn in which it is.
///
/// Observers and handlers of events are called after the turn: none of them can wait for itself. A turn
/// within a turn at the same file, on the same thread, is refused at once. No fork waits for a turn; a
/// forked child finds the file free.
final class Lane: Sendable {
  typealias Work = TurnQueue<Waiter>.Work
  fileprivate typealias Number = TurnQueue<Waiter>.Number

  /// What waits for a turn.
  enum Waiter {
    case thread(Wait)
    case job(Job)
  }

  /// Work for which no thread waits.
  struct Job: Sendable {
    /// The threads that do it if it has to wait; nil for the thread that ends the turn before.
    let pool: WorkerPool?
    let priority: WorkerPool.Priority
    /// Works with the file, for which the turn is kept.
    let body: @Sendable () -> Void
    /// Called when the turn has ended and observers have been called.
    let end: @Sendable () -> Void

    init(
      on pool: WorkerPool?, priority: WorkerPool.Priority, _ body: @escaping @Sendable () -> Void,
      afterwards end: @escaping @Sendable () -> Void = {}
    ) {
      self.pool = pool
      self.priority = priority
      self.body = body
      self.end = end
    }
  }

  /// A thread that waits.
  final class Wait: @unchecked Sendable {
    // Sendable because the outcome is reached only while the state lock is held.
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
    /// `Fork.count` in the process to which the queue belongs.
    var forks = Fork.count
  }

  private let state = Guarded(State())

  /// The priority of threads that wait, among the calls of tasks.
  private static let threadPriority: WorkerPool.Priority = 25
  /// The longest time after which a wait that may be canceled checks for that.
  private static let slice = Duration.milliseconds(20)

  /// Calls a closure with the queue. That of the parent is forgotten in a forked child.
  private func withQueue<Result>(_ body: (inout TurnQueue<Waiter>) -> Result) -> Result {
    StateLock.change { change in
      if change[state].forks != Fork.count {
        change[state].queue.reset()
        change[state].forks = Fork.count
      }
      return body(&change[state].queue)
    }
  }

  // MARK: Turns of threads that wait

  /// Whether the calling thread has the turn.
  var isHeldHere: Bool { Visit.current(of: self) != nil }

  /// The file, if the calling thread has it locked in its turn.
  var lockedFile: UnsafeMutablePointer<LockedFile>? { Visit.current(of: self)?.lockedFile }

  /// Calls a closure while ``lockedFile`` is the file that the calling thread has locked.
  func withLockedFile<Result, Failure: Error>(
    _ file: inout LockedFile, _ turn: borrowing Turn,
    _ body: (UnsafeMutablePointer<LockedFile>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let visit = Visit.current(of: self)
    return try withUnsafeMutablePointer(to: &file) { (pointer) throws(Failure) in
      visit?.lockedFile = pointer
      defer { visit?.lockedFile = nil }
      return try body(pointer)
    }
  }

  /// Calls a closure in a turn on this thread, for which it waits no longer than until a deadline.
  ///
  /// - Returns: Nil if there was no turn in time, or the wait was canceled, or this thread already has
  ///   the turn.
  func withTurn<Result, Failure: Error>(
    until deadline: ContinuousClock.Instant,
    _ body: (borrowing Turn) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    if let visit = Visit.current(of: self) {
      return visit.isInUse ? nil : try visit.use(body)
    }
    return try Self.delivering { () throws(Failure) -> Result? in
      guard case .turn(let turn) = wait(until: deadline, isReader: false) else { return nil }
      defer { end(turn) }
      return try Visit(self, turn).run { (visit) throws(Failure) in try visit.use(body) }
    }
  }

  /// Calls a closure in the turn that this thread has, although that is in use.
  func withinTurn<Failure: Error>(
    _ body: (borrowing Turn) throws(Failure) -> Void
  ) throws(Failure) {
    if isHeldHere { try body(Turn()) }
  }

  /// Calls a closure that reads the file in a turn on this thread, unless another turn reads it before.
  /// The thread must not have the turn.
  func withTurnToRead(_ body: (borrowing Turn) -> Void) {
    Self.delivering {
      guard case .turn(let turn) = wait(until: nil, isReader: true) else { return }
      defer { end(turn) }
      Visit(self, turn).run { visit in visit.use(body) }
    }
  }

  /// Calls a closure that takes a turn, within the ``ForkGate``, and afterwards the observers and
  /// handlers that have to be called.
  private static func delivering<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Delivery.batchingNotifications { () throws(Failure) in
      try ForkGate.shared.delayingForks(body)
    }
  }

  /// Lets those go on that wait for the file to be read.
  func noteRead() {
    for case .thread(let wait) in withQueue({ queue in
      let readers = queue.takeReaders()
      for case .thread(let wait) in readers { wait.outcome = .read }
      return readers
    }) { wait.event.signal() }
  }

  /// Waits for a turn; nil if there was none in time.
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

  /// Ends a turn and lets the next one begin.
  private func end(_ turn: Number) {
    let next = withQueue { queue in
      let next = queue.end(turn)
      if let next, case .thread(let wait) = next.waiter { wait.outcome = .turn(next.turn) }
      return next
    }
    switch next?.waiter {
    case .thread(let wait)?: wait.event.signal()
    case .job(let job)?:
      let turn = next!.turn
      let run: @Sendable () -> Void = { self.run(job, in: turn) }
      if job.pool?.run(priority: job.priority, run) != true { run() }
    case nil: break
    }
  }

  // MARK: Turns in the background

  /// Does a job here and now if the file is free, and otherwise on a thread of its pool when its turn has
  /// come.
  func run(_ job: Job) {
    let turn = withQueue { queue -> Number? in
      if let turn = queue.begin() { return turn }
      _ = queue.append(.job(job), priority: job.priority)
      return nil
    }
    if let turn { run(job, in: turn) }
  }

  private func run(_ job: Job, in turn: Number) {
    Self.delivering {
      defer { end(turn) }
      Visit(self, turn).run { _ in job.body() }
    }
    job.end()
  }

  /// Leaves work to a turn in the background, together with what was left before.
  ///
  /// - Parameter perform: Does all of it.
  func request(
    _ work: Work, on pool: WorkerPool?, _ perform: @escaping @Sendable (Work) -> Void
  ) {
    guard withQueue({ $0.add(work) }) else { return }
    run(Job(on: pool, priority: 0) { perform(self.withQueue { $0.takeWork() }) })
  }
}

/// Proof that the calling thread has the turn at a file, which alone loads, reloads and commits it.
struct Turn: ~Copyable {
  fileprivate init() {}
}

/// A turn that a thread has. A turn that is kept for a closure is in use when the closure works with
/// the file.
private final class Visit {
  private static let innermost = ThreadLocal<Visit>()

  private let lane: Lane
  private let turn: TurnQueue<Lane.Waiter>.Number
  private let outer: Visit?
  private(set) var isInUse = false
  var lockedFile: UnsafeMutablePointer<LockedFile>?

  init(_ lane: Lane, _ turn: TurnQueue<Lane.Waiter>.Number) {
    self.lane = lane
    self.turn = turn
    outer = Self.innermost.value
  }

  /// The turn of the calling thread at a file; nil if it has none.
  static func current(of lane: Lane) -> Visit? {
    var visit = innermost.value
    while let current = visit, current.lane !== lane { visit = current.outer }
    return visit
  }

  /// Calls a closure on the thread that has the turn.
  func run<Result, Failure: Error>(
    _ body: (Visit) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Self.innermost.withValue(self) { () throws(Failure) in try body(self) }
  }

  /// Calls a closure that works with the file.
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
