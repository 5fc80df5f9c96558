internal import PropertyList
internal import Threading

typealias Observer = ChangeObserver<PreferencesChange>
typealias GroupObserver = ChangeObserver<PreferencesGroupChange>

/// Calls a handler with changes, one at a time and in the order they are made. Each change begins
/// with the value that the previous one ended with.
final class ChangeObserver<Change: Sendable>: QueuedObserver {
  /// `isSuppressed` is true for a change made in ``Propagation/suppressNotifications(_:)``.
  typealias Handler = @Sendable (Change, _ isSuppressed: Bool) -> Void

  private let state: Guarded<State>
  private let isolation: Isolation

  private struct State {
    /// Nil after cancellation.
    var handler: Handler?
    var calls = SerialQueue()
  }

  /// - Parameter isolation: Where the handler is called.
  init(on isolation: Isolation = .none, handler: @escaping Handler) {
    self.isolation = isolation
    state = Guarded(State(handler: handler))
  }

  convenience init(
    on isolation: Isolation = .none, _ handler: @escaping @Sendable (Change) -> Void
  ) {
    self.init(on: isolation) { change, _ in handler(change) }
  }

  func enqueue(_ new: Change, isSuppressed: Bool = false, in change: borrowing StateChange) {
    guard let handler = change[state].handler else { return }
    change[state].calls.append { handler(new, isSuppressed) }
  }

  /// Whether the handler can be called right here, instead of later on its actor.
  var isCalledHere: Bool { isolation.isCurrent }

  func deliver() {
    if !isCalledHere {
      return isolation.enqueue { Delivery.batchingNotifications { self.deliverHere() } }
    }
    HeldLocks.assertNone("an observer is called with a lock held")
    deliverHere()
  }

  private func deliverHere() { make(StateLock.change { begin(in: $0) }) }

  /// Takes the first call; nil if this thread has none to make.
  func begin(in change: borrowing StateChange) -> SerialQueue.Call? {
    change[state].calls.begin()
  }

  /// Makes the first call and the following ones.
  func make(_ first: consuming SerialQueue.Call?) {
    SerialQueue.make(first) { StateLock.change { $0[state].calls.next() } }
  }

  /// Prevents further calls. Release the result without holding a lock.
  func cancel(in change: borrowing StateChange) -> Any {
    (exchange(&change[state].handler, with: nil), change[state].calls.removeAll()) as Any
  }
}
