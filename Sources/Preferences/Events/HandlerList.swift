/// Handlers that are called in the order they were added.
final class HandlerList<Value: Sendable>: Sendable {
  private struct Handler {
    /// Selects values; nil for all.
    var filter: (@Sendable (Value) -> Bool)?
    var body: @Sendable (Value) -> Void
  }

  private struct State {
    var handlers: [Int: Handler] = [:]
    var lastNumber = 0
  }

  private let state = Guarded(State())

  /// Adds a handler until the observation is canceled or released.
  func add(
    where filter: (@Sendable (Value) -> Bool)? = nil, _ handler: @escaping @Sendable (Value) -> Void
  ) -> PreferencesObservation {
    let number = StateLock.change { change in
      change[state].lastNumber += 1
      change[state].handlers[change[state].lastNumber] = Handler(filter: filter, body: handler)
      return change[state].lastNumber
    }
    return PreferencesObservation {
      // Released without the lock: its captures may be a user's objects.
      let removed = StateLock.change { $0[self.state].handlers.removeValue(forKey: number) }
      withExtendedLifetime(removed) {}
    }
  }

  /// Whether a handler receives all values.
  func hasGeneralHandlers(in change: borrowing StateChange) -> Bool {
    change[state].handlers.values.contains { $0.filter == nil }
  }

  /// Calls the handlers of a value and returns whether there were any.
  @discardableResult
  func call(with value: Value) -> Bool { call(with: value) { _ in true } }

  /// Calls only handlers with filters.
  func callFiltered(with value: Value) { _ = call(with: value) { $0.filter != nil } }

  private func call(with value: Value, where isIncluded: (Handler) -> Bool) -> Bool {
    let numbers = StateLock.change { $0[state].handlers.keys.sorted() }
    var isHandled = false
    for number in numbers {
      // It may have been removed since.
      guard let handler = StateLock.change({ $0[state].handlers[number] }), isIncluded(handler),
        handler.filter?(value) ?? true
      else { continue }
      handler.body(value)
      isHandled = true
    }
    return isHandled
  }
}
