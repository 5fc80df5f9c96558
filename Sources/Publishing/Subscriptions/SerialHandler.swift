internal import Threading

/// A closure that is called with events, one after another, whichever threads send them. An event
/// that is sent during a call follows it. No lock is held during a call.
final class SerialHandler<Event>: Sendable {
  /// Wraps the closure, because generic code would convert a bare function to and from its own form
  /// at each access.
  private struct Closure {
    var body: @Sendable (Event) -> Void
  }

  private struct State {
    /// Nil after the end.
    var closure: Closure?
    var calls = SerialQueue()
  }

  private let state: Lock<State>
  private let context: CallContext

  init(
    in context: CallContext = .isolation(.none), _ closure: @escaping @Sendable (Event) -> Void
  ) {
    self.context = context
    state = Lock(State(closure: Closure(body: closure)))
  }

  /// Calls the closure with an event, now or once it has returned from another call.
  func send(_ event: Event) {
    enqueue(event)
    deliver()
  }

  /// Adds an event to the queue. Call ``deliver()`` afterwards.
  func enqueue(_ event: Event) {
    // Handled on one thread at a time.
    nonisolated(unsafe) let event = event
    state.withLock { state in
      if let closure = state.closure { state.calls.append { closure.body(event) } }
    }
  }

  /// Adds a last call to the queue; the closure is not called after it. Call ``deliver()``
  /// afterwards.
  func enqueueLast(_ body: @escaping @Sendable () -> Void) {
    state.withLock { state in
      guard state.closure != nil else { return }
      state.calls.append {
        self.end()
        body()
      }
    }
  }

  /// Calls the closure with the queued events, unless another thread does so.
  func deliver() {
    context.run {
      SerialQueue.make(self.state.withLock { $0.calls.begin() }) {
        self.state.withLock { $0.calls.next() }
      }
    }
  }

  /// Stops calling the closure, and releases it.
  func end() {
    let released = state.withLock { (exchange(&$0.closure, with: nil), $0.calls.removeAll()) }
    // Released outside the lock.
    withExtendedLifetime(released) {}
  }
}

/// Where calls are made.
enum CallContext: Sendable {
  /// On an actor. If there is none, or if the thread that requests the calls is on it, this thread
  /// makes them.
  case isolation(Isolation)
  /// By a function that receives the calls and makes them now or later.
  case function(@Sendable (_ calls: @escaping @Sendable () -> Void) -> Void)

  /// Makes calls, now or later.
  func run(_ calls: @escaping @Sendable () -> Void) {
    switch self {
    case .isolation(let isolation): isolation.run(calls)
    case .function(let function): function(calls)
    }
  }
}
