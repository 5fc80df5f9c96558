internal import Threading

/// A closure that is called with events, one after another, whichever threads send them.
///
/// An event that is sent during a call follows it. No lock is held meanwhile.
final class SerialHandler<Event>: Sendable {
  /// Wraps the closure, because generic code would convert a bare function to and from its own form
  /// at each access.
  private struct Closure {
    var body: @Sendable (Event) -> Void
  }

  /// Nil before the start and after the end.
  private let closure: Lock<Closure?>
  private let calls: CallQueue

  init(
    in context: CallQueue.Context = .isolation(.none),
    _ closure: @escaping @Sendable (Event) -> Void
  ) {
    calls = CallQueue(in: context)
    self.closure = Lock(Closure(body: closure))
  }

  /// Creates a handler whose closure ``start(_:)`` sets.
  init() {
    calls = CallQueue(in: .isolation(.none))
    closure = Lock(nil)
  }

  /// Sets the closure of a handler that was created without one, before any event is sent.
  func start(_ closure: @escaping @Sendable (Event) -> Void) {
    self.closure.withLock { $0 = Closure(body: closure) }
  }

  /// Whether the closure is still called.
  var isActive: Bool { calls.isActive }

  /// Calls the closure with an event, now or once it has returned from another call.
  func send(_ event: Event) {
    if calls.begin() {
      handle(event)
      calls.finish()
    } else {
      enqueue(event)
      deliver()
    }
  }

  /// Adds an event to the queue. ``deliver()`` has to follow.
  func enqueue(_ event: Event) {
    // Handled on one thread at a time.
    nonisolated(unsafe) let event = event
    calls.enqueue { self.handle(event) }
  }

  /// Adds a last call to the queue, after which the closure is not called. ``deliver()`` has to
  /// follow.
  func enqueueLast(_ body: @escaping @Sendable () -> Void) {
    calls.enqueue(isLast: true) {
      self.release()
      body()
    }
  }

  /// Calls the closure with the queued events, unless another thread does.
  func deliver() {
    calls.deliver()
  }

  /// Calls the closure with no further events, and releases it.
  func end() {
    calls.end()
    release()
  }

  private func handle(_ event: Event) {
    closure.withLock { $0 }?.body(event)
  }

  private func release() {
    let released = closure.withLock { exchange(&$0, with: nil) }
    // Outside the lock.
    withExtendedLifetime(released) {}
  }
}
