internal import PropertyList
internal import Threading

/// An observer of single keys.
typealias Observer = ChangeObserver<PreferencesChange>

/// An observer of groups of keys.
typealias GroupObserver = ChangeObserver<PreferencesGroupChange>

/// A handler that is called with changes, one after another.
///
/// Changes enter its queue in the order in which they are made. Calls never overlap, and each change
/// begins with the value with which the previous one ended.
final class ChangeObserver<Change: Sendable>: QueuedObserver {
  /// Receives a change, and whether it was made within ``Propagation/suppressNotifications(_:)``.
  typealias Handler = @Sendable (Change, _ isSuppressed: Bool) -> Void

  private let state: Guarded<State>
  private let isolation: Isolation

  private struct State {
    /// Nil once the observer has been canceled.
    var handler: Handler?
    var calls = SerialQueue()
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
    guard let handler = change[state].handler else { return }
    change[state].calls.append { handler(new, isSuppressed) }
  }

  /// Whether the handler can be called right here, rather than later on its actor.
  var isCalledHere: Bool { isolation.isCurrent }

  func deliver() {
    if !isCalledHere {
      return isolation.enqueue { Delivery.batchingNotifications { self.deliverHere() } }
    }
    HeldLocks.assertNone("an observer is called with a lock held")
    deliverHere()
  }

  private func deliverHere() {
    make(StateLock.change { begin(in: $0) })
  }

  /// Takes the first call, which this thread has to make; nil if there is none for it.
  func begin(in change: borrowing StateChange) -> SerialQueue.Call? {
    change[state].calls.begin()
  }

  /// Makes the first call, and those that follow it.
  func make(_ first: consuming SerialQueue.Call?) {
    SerialQueue.make(first) { StateLock.change { $0[state].calls.next() } }
  }

  /// Prevents further calls from beginning.
  ///
  /// - Returns: What to release once no lock is held.
  func cancel(in change: borrowing StateChange) -> Any {
    (exchange(&change[state].handler, with: nil), change[state].calls.removeAll()) as Any
  }
}
