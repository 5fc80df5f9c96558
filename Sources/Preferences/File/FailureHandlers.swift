/// The handlers of failures to commit a domain in the background.
final class FailureHandlers: Sendable {
  private struct State {
    var handlers: [Int: @Sendable (PreferencesError) -> Void] = [:]
    var lastNumber = 0
  }

  private let state = Guarded(State())

  /// Registers a handler until the registration is canceled or released.
  func add(
    _ handler: @escaping @Sendable (PreferencesError) -> Void
  ) -> PreferencesObservation {
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

  /// Calls the handlers in the order in which they were registered.
  func report(_ error: PreferencesError) {
    for number in StateLock.change({ $0[state].handlers.keys.sorted() }) {
      // It may have been removed by now.
      StateLock.change { $0[state].handlers[number] }?(error)
    }
  }
}
