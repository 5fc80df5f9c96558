internal import Threading

/// A closure that is called with events, one after another, whichever threads send them.
///
/// Events enter a queue. The thread that finds no other one calling the closure calls it with
/// everything that is queued; an event that is sent during a call follows it. No lock is held
/// meanwhile.
final class SerialHandler<Event>: Sendable {
  /// Where the closure is called.
  enum Context: Sendable {
    /// On the thread that sends the event if it is isolated to no other actor.
    case isolation(Isolation)
    /// Where a function that receives the call calls it, now or later.
    case function(@Sendable (_ call: @escaping @Sendable () -> Void) -> Void)
  }

  /// A call of the closure.
  private struct Call {
    var closure: @Sendable (Event) -> Void
    var event: Event
    /// What follows the last event.
    var dropped: Queue<Event>?
  }

  private struct State {
    /// Nil before the start and after the end.
    var closure: (@Sendable (Event) -> Void)?
    var queue = Queue<Event>()
    /// The thread that calls the closure.
    var caller: ThreadIdentity?
  }

  private let state: Lock<State>
  private let context: Context
  private let isLast: @Sendable (Event) -> Bool

  /// - Parameter isLast: Whether nothing follows an event: the closure is released after it.
  init(
    in context: Context = .isolation(.none),
    endingWith isLast: @escaping @Sendable (Event) -> Bool = { _ in false },
    _ closure: @escaping @Sendable (Event) -> Void
  ) {
    self.context = context
    self.isLast = isLast
    state = Lock(State(closure: closure))
  }

  /// Creates a handler whose closure ``start(_:)`` sets.
  init() {
    context = .isolation(.none)
    isLast = { _ in false }
    state = Lock(State())
  }

  /// Sets the closure of a handler that was created without one, before any event is sent.
  func start(_ closure: @escaping @Sendable (Event) -> Void) {
    state.withLock { $0.closure = closure }
  }

  /// Whether the closure is still called.
  var isActive: Bool { state.withLock { $0.closure != nil } }

  /// Calls the closure with an event, now or once it has returned from another call.
  func send(_ event: Event) {
    guard isCalledHere else {
      enqueue(event)
      return deliver()
    }
    let first = state.withLock { state -> Call? in
      guard state.closure != nil else { return nil }
      state.queue.append(event)
      return beginCalling(in: &state)
    }
    call(from: first)
  }

  /// Adds an event to the queue. ``deliver()`` has to follow.
  func enqueue(_ event: Event) {
    state.withLock { state in
      if state.closure != nil { state.queue.append(event) }
    }
  }

  /// Calls the closure with the queued events, unless another thread does.
  func deliver() {
    switch context {
    case .isolation(let isolation): isolation.run { self.callHere() }
    case .function(let function): function { self.callHere() }
    }
  }

  /// Calls the closure with no further events, and releases it.
  func end() {
    let ended = state.withLock { state in
      defer { (state.closure, state.queue) = (nil, Queue()) }
      return (state.closure, state.queue)
    }
    // Released outside the lock.
    withExtendedLifetime(ended) {}
  }

  /// Whether the closure can be called right here.
  private var isCalledHere: Bool {
    if case .isolation(let isolation) = context { isolation.isCurrent } else { false }
  }

  private func callHere() {
    call(from: state.withLock { beginCalling(in: &$0) })
  }

  /// Makes this thread the one that calls the closure, unless another one is, and returns the first
  /// call.
  private func beginCalling(in state: inout State) -> Call? {
    if let caller = state.caller, !caller.isGone { return nil }
    state.caller = .current
    return next(in: &state)
  }

  /// Makes a call and those that follow it.
  private func call(from first: Call?) {
    var next = first
    while let call = next {
      call.closure(call.event)
      next = state.withLock { self.next(in: &$0) }
    }
  }

  /// Takes the next event from the queue. Without one, this thread stops calling the closure.
  private func next(in state: inout State) -> Call? {
    guard let closure = state.closure, let event = state.queue.popFirst() else {
      state.caller = nil
      return nil
    }
    if !isLast(event) { return Call(closure: closure, event: event) }
    defer { (state.closure, state.queue) = (nil, Queue()) }
    return Call(closure: closure, event: event, dropped: state.queue)
  }
}
