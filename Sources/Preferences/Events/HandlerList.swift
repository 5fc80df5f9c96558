/// Handlers that are called in the order in which they were added.
final class HandlerList<Value: Sendable>: Sendable {
  private struct State {
    var handlers: [Int: @Sendable (Value) -> Void] = [:]
    var lastNumber = 0
  }

  private let state = Guarded(State())

  /// Adds a handler until the registration is canceled or released.
  func add(_ handler: @escaping @Sendable (Value) -> Void) -> PreferencesObservation {
    let number = StateLock.change { change in
      change[state].lastNumber += 1
      change[state].handlers[change[state].lastNumber] = handler
      return change[state].lastNumber
    }
    return PreferencesObservation {
      // Released when the lock is not held: its captures may be a user's objects.
      let removed = StateLock.change { $0[self.state].handlers.removeValue(forKey: number) }
      withExtendedLifetime(removed) {}
    }
  }

  /// Whether there are no handlers.
  func isEmpty(in change: borrowing StateChange) -> Bool { change[state].handlers.isEmpty }

  /// Calls the handlers.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  func call(with value: Value) -> Bool {
    let numbers = StateLock.change { $0[state].handlers.keys.sorted() }
    for number in numbers {
      // It may have been removed by now.
      StateLock.change { $0[state].handlers[number] }?(value)
    }
    return !numbers.isEmpty
  }
}
