internal import Threading

/// Calls that are made one after another, whichever threads ask for them.
///
/// The thread that finds no other one making calls makes all that are queued; what is asked for
/// during a call follows it. No lock is held meanwhile.
///
/// It is not generic, since generic code that is not specialized takes several times as long.
final class CallQueue: Sendable {
  /// Where calls are made.
  enum Context: Sendable {
    /// On an actor. Without one, or on it, they are made on the thread that asks for them.
    case isolation(Isolation)
    /// Where a function that receives the calls makes them, now or later.
    case function(@Sendable (_ calls: @escaping @Sendable () -> Void) -> Void)
  }

  private struct Call {
    var body: @Sendable () -> Void
    /// Whether no call may follow.
    var isLast: Bool
  }

  private struct State {
    /// Whether calls are still made.
    var isActive = true
    var calls = Queue<Call>()
    /// The thread that makes calls.
    var caller: ThreadIdentity?

    /// Makes this thread the one that makes calls, unless another one is.
    mutating func becomeCaller() -> Bool {
      if let caller, !caller.isGone { return false }
      caller = .current
      return true
    }
  }

  private let state = Lock(State())
  private let context: Context

  init(in context: Context) {
    self.context = context
  }

  /// Whether calls are still made.
  var isActive: Bool { state.withLock { $0.isActive } }

  /// Returns whether this thread can make a call at once, without asking for it. It has to call
  /// ``finish()`` after the call.
  func begin() -> Bool {
    guard case .isolation(let isolation) = context, isolation.isCurrent else { return false }
    return state.withLock { $0.isActive && $0.calls.isEmpty && $0.becomeCaller() }
  }

  /// Makes the calls that have been asked for meanwhile, on the thread that makes calls.
  func finish() {
    while let call = next() { call() }
  }

  /// Adds a call to the queue. ``deliver()`` has to follow.
  ///
  /// - Parameter isLast: Whether no call follows.
  func enqueue(isLast: Bool = false, _ body: @escaping @Sendable () -> Void) {
    state.withLock { state in
      if state.isActive { state.calls.append(Call(body: body, isLast: isLast)) }
    }
  }

  /// Makes the calls that have been asked for, unless another thread does.
  func deliver() {
    switch context {
    case .isolation(let isolation): isolation.run { self.deliverHere() }
    case .function(let function): function { self.deliverHere() }
    }
  }

  /// Makes no further calls.
  func end() {
    let dropped = state.withLock { state in
      state.isActive = false
      return exchange(&state.calls, with: Queue())
    }
    // Released outside the lock.
    withExtendedLifetime(dropped) {}
  }

  private func deliverHere() {
    if state.withLock({ $0.becomeCaller() }) { finish() }
  }

  /// Takes the next call. Without one, this thread stops making calls.
  private func next() -> (@Sendable () -> Void)? {
    var (call, dropped): (Call?, Queue<Call>?) = (nil, nil)
    state.withLock { state in
      call = state.calls.popFirst()
      if call == nil { state.caller = nil }
      if call?.isLast == true {
        state.isActive = false
        dropped = exchange(&state.calls, with: Queue())
      }
    }
    // Released outside the lock.
    withExtendedLifetime(dropped) {}
    return call?.body
  }
}
