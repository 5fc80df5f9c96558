/// Runs closures on a few threads, by priority and then in the order they were added.
///
/// A closure that waits for a lock (``noteWait()``), or takes long because a file system does not
/// respond, no longer counts as occupying its thread, and another thread takes over.
///
/// Threads are started on demand and end when there is nothing to do. A forked child has neither
/// the threads nor the closures of its parent.
package final class WorkerPool: Sendable {
  package typealias Priority = PriorityQueue<Body>.Priority
  package typealias Body = @Sendable () -> Void

  private struct State {
    var queue = PriorityQueue<Body>()
    /// When each running closure began, by thread.
    var running: [ObjectIdentifier: ContinuousClock.Instant] = [:]
    /// The events of idle threads.
    var idle: [AutoResetEvent] = []
    var threadCount = 0
    var startingCount = 0
    /// `Fork.count` in the process that this state belongs to.
    var forks = Fork.count
  }

  private enum Step {
    case run(Body)
    /// Waits for a new closure, or until a running one takes long.
    case wait(Duration)
    case end
  }

  private let name: String
  private let width: Int
  private let limit: Int
  private let patience: Duration
  private let start: @Sendable (String, @escaping @Sendable () -> Void) -> Bool
  private let state = Lock(State())

  /// - Parameters:
  ///   - name: The name of the threads, at most 15 bytes.
  ///   - width: The number of closures that run at once.
  ///   - limit: The largest number of threads, including those whose closures take long.
  ///   - patience: After how long a closure is no longer counted.
  ///   - start: Starts a named thread; returns false if the system cannot create one.
  package init(
    _ name: String, width: Int, limit: Int, patience: Duration,
    startingThreads start: @escaping @Sendable (String, @escaping @Sendable () -> Void) -> Bool =
      BackgroundThread.start
  ) {
    self.name = name
    self.width = width
    self.limit = limit
    self.patience = patience
    self.start = start
  }

  /// The state of the parent is discarded in a forked child.
  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      if state.forks != Fork.count { state = State() }
      return body(&state)
    }
  }

  /// Runs a closure on one of the threads. Higher priorities run first.
  ///
  /// - Returns: False if there is no thread and the system cannot create one; the closure does not
  ///   run then.
  package func run(priority: Priority = 0, _ body: @escaping Body) -> Bool {
    let (isTaken, others) = ForkGate.shared.delayingForks { () -> (Bool, [Body]) in
      let (ticket, waiter, needsThread) = withState { state in
        let ticket = state.queue.append(body, priority: priority)
        let waiter = state.idle.popLast()
        return (ticket, waiter, waiter == nil && reserveThread(&state))
      }
      waiter?.signal()
      if !needsThread || startThread() { return (true, []) }
      return withState { state in
        if state.threadCount > 0 { return (true, []) }
        let isTaken = state.queue.remove(ticket) == nil
        // Closures added since then rely on the threads that were being started.
        var others: [Body] = []
        while state.startingCount == 0, let other = state.queue.popFirst() { others.append(other) }
        return (isTaken, others)
      }
    }
    for other in others { other() }
    return isTaken
  }

  /// Runs a closure that may never return, and waits a limited time for its end.
  ///
  /// - Returns: Whether it has ended; otherwise it is still running.
  @discardableResult
  package func run(waiting limit: Duration, _ body: @escaping Body) -> Bool {
    let (isDone, end) = (Lock(false), AutoResetEvent())
    let isTaken = run {
      body()
      isDone.withLock { $0 = true }
      end.signal()
    }
    // The system has no more threads.
    if !isTaken { body() }
    let deadline = ContinuousClock.now + limit
    while isTaken, !isDone.withLock({ $0 }) {
      let rest = deadline - .now
      if rest <= .zero { return false }
      ForkGate.shared.allowingForks { end.wait(for: rest) }
    }
    return true
  }

  package var threadCount: Int { withState { $0.threadCount } }

  // MARK: Threads

  /// Counts a thread to start, unless there are enough. Needed are threads that run closures, up to
  /// the width; threads whose closures take long; and one thread that notices when they do.
  private func reserveThread(_ state: inout State) -> Bool {
    let count = state.threadCount + state.startingCount
    guard count < min(limit, width + longCount(in: state) + 1) else { return false }
    state.startingCount += 1
    return true
  }

  /// Starts a thread that was reserved.
  private func startThread() -> Bool {
    if start(name, { self.work() }) { return true }
    withState { $0.startingCount -= 1 }
    return false
  }

  private func longCount(in state: State) -> Int {
    let now = ContinuousClock.now
    return state.running.values.count { now - $0 >= patience }
  }

  private func work() {
    let forks = Fork.count
    let event = AutoResetEvent()
    withState { state in
      state.startingCount -= 1
      state.threadCount += 1
    }
    var waited = Duration.zero
    while true {
      let (step, needsThread) = withState { state -> (Step, Bool) in
        let step = next(&state, event, isExpired: waited >= BackgroundThread.idleLimit)
        guard case .run = step, !state.queue.isEmpty, state.idle.isEmpty else {
          return (step, false)
        }
        return (step, reserveThread(&state))
      }
      if needsThread { _ = startThread() }
      switch step {
      case .run(let body):
        Self.current.withValue(Place(pool: self, thread: ObjectIdentifier(event))) { body() }
        // The closure may have forked.
        if Fork.count != forks { return }
        withState { $0.running[ObjectIdentifier(event)] = nil }
        waited = .zero
      case .wait(let limit):
        ForkGate.shared.allowingForks { event.wait(for: limit) }
        waited = limit
      case .end:
        return
      }
    }
  }

  // MARK: Waiting

  private final class Place {
    let pool: WorkerPool
    let thread: ObjectIdentifier

    init(pool: WorkerPool, thread: ObjectIdentifier) {
      self.pool = pool
      self.thread = thread
    }
  }

  private static let current = ThreadLocal<Place>()

  /// Stops counting the closure that the calling thread runs, because it waits for other work. Does
  /// nothing on a thread outside pools.
  package static func noteWait() {
    guard let place = current.value else { return }
    place.pool.noteWait(on: place.thread)
  }

  private func noteWait(on thread: ObjectIdentifier) {
    let (waiter, needsThread) = withState { state -> (AutoResetEvent?, Bool) in
      state.running[thread]? -= patience
      if state.queue.isEmpty { return (nil, false) }
      let waiter = state.idle.popLast()
      return (waiter, waiter == nil && reserveThread(&state))
    }
    waiter?.signal()
    if needsThread { _ = startThread() }
  }

  /// Decides a thread's next step.
  ///
  /// - Parameters:
  ///   - event: The thread's event, added to the idle ones if it waits.
  ///   - isExpired: Whether the thread ends if there is nothing to run.
  private func next(_ state: inout State, _ event: AutoResetEvent, isExpired: Bool) -> Step {
    let wasIdle = state.idle.contains { $0 === event }
    state.idle.removeAll { $0 === event }
    if state.queue.isEmpty {
      // A woken thread stays, even if another thread has taken the closure.
      if isExpired, wasIdle {
        state.threadCount -= 1
        return .end
      }
      state.idle.append(event)
      return .wait(BackgroundThread.idleLimit)
    }
    let now = ContinuousClock.now
    let counted = state.running.values.filter { now - $0 < patience }
    if counted.count < width, let body = state.queue.popFirst() {
      state.running[ObjectIdentifier(event)] = now
      return .run(body)
    }
    state.idle.append(event)
    return .wait((counted.min() ?? now) + patience - now)
  }
}
