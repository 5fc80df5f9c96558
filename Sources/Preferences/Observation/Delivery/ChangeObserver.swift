internal import PropertyList
internal import Threading

/// An observer of single keys.
typealias Observer = ChangeObserver<PreferencesChange>

/// An observer of groups of keys.
typealias GroupObserver = ChangeObserver<PreferencesGroupChange>

/// A handler that is called with changes, one after another.
///
/// Changes enter its queue in the order in which they are made. The thread that finds no other one
/// calling the handler calls it with everything that is queued. Calls therefore never overlap, and
/// each change begins with the value with which the previous one ended.
final class ChangeObserver<Change: Sendable>: QueuedObserver {
  /// Receives a change, and whether it was made within ``Propagation/suppressNotifications(_:)``.
  typealias Handler = @Sendable (Change, _ isSuppressed: Bool) -> Void

  private let state: Guarded<State>
  private let isolation: Isolation

  private struct State {
    /// Nil once the observer has been canceled.
    var handler: Handler?
    var queue: [(change: Change, isSuppressed: Bool)] = []
    /// The thread that calls the handler.
    var caller: ThreadIdentity?
  }

  /// - Parameter isolation: The actor on which the handler is called.
  init(on isolation: Isolation = .none, handler: @escaping Handler) {
    self.isolation = isolation
    state = Guarded(State(handler: handler))
  }

  convenience init(
    on isolation: Isolation = .none, _ handler: @escaping @Sendable (Change) -> Void
  ) {
    self.init(on: isolation) { change, _ in handler(change) }
  }

  /// Adds a change to the queue.
  func enqueue(
    _ new: Change, isSuppressed: Bool = false, in change: borrowing StateChange
  ) {
    guard change[state].handler != nil else { return }
    change[state].queue.append((new, isSuppressed))
  }

  /// Whether the handler can be called right here, rather than later on its actor.
  var isCalledHere: Bool { isolation.isCurrent }

  func deliver() {
    if !isCalledHere {
      return isolation.enqueue {
        Delivery.batchingNotifications { self.callUnlessCalled() }
      }
    }
    HeldLocks.assertNone("an observer is called with a lock held")
    callUnlessCalled()
  }

  private func callUnlessCalled() {
    if StateLock.change({ beginCalling(in: $0) }) { call() }
  }

  /// Makes this thread the one that calls the handler, unless another one is.
  func beginCalling(in change: borrowing StateChange) -> Bool {
    if let caller = change[state].caller, !caller.isGone { return false }
    change[state].caller = .current
    return true
  }

  /// Calls the handler with the queued changes. This thread must be the one that calls it.
  func call() {
    while let (handler, changes) = StateLock.change({ dequeue(in: $0) }) {
      for (change, isSuppressed) in changes {
        // The observer may have been canceled by now.
        guard StateLock.change({ $0[state].handler != nil }) else { break }
        handler(change, isSuppressed)
      }
    }
  }

  private func dequeue(
    in change: borrowing StateChange
  ) -> (Handler, [(change: Change, isSuppressed: Bool)])? {
    guard let handler = change[state].handler, !change[state].queue.isEmpty else {
      change[state].caller = nil
      return nil
    }
    return (handler, exchange(&change[state].queue, with: []))
  }

  /// Prevents further calls from beginning.
  ///
  /// - Returns: What to release once no lock is held.
  func cancel(in change: borrowing StateChange) -> Any {
    (exchange(&change[state].handler, with: nil), exchange(&change[state].queue, with: [])) as Any
  }
}
