internal import Synchronization

/// The handlers of the events of an engine, called in the order they were added.
final class EventHandlers: Sendable {
  /// The handlers of the engine of the process.
  static let process = EventHandlers()

  private struct Handler {
    /// Selects events; nil for all.
    var filter: (@Sendable (PreferencesEvent) -> Bool)?
    var body: @Sendable (PreferencesEvent) -> Void
  }

  private struct State {
    var handlers: [Int: Handler] = [:]
    var lastNumber = 0
  }

  private let state = Guarded(State())
  /// Whether warnings that have no handler are printed.
  let printsFailures = Atomic(true)

  /// Adds a handler until the observation is canceled or released.
  func add(
    where filter: (@Sendable (PreferencesEvent) -> Bool)? = nil,
    _ handler: @escaping @Sendable (PreferencesEvent) -> Void
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

  /// Whether a handler receives all events.
  func hasGeneralHandlers(in change: borrowing StateChange) -> Bool {
    change[state].handlers.values.contains { $0.filter == nil }
  }

  /// Calls the handlers of an event, or prints a warning that has no handler. No lock may be held.
  ///
  /// - Parameter isHandled: Whether a handler outside the engine has been called.
  func post(_ event: PreferencesEvent, isHandled: Bool = false) {
    if call(with: event) || isHandled || !event.isWarning { return }
    if printsFailures.load(ordering: .relaxed) { FailureLog.shared.print(event) }
  }

  /// Calls the handlers of an event and returns whether there were any.
  ///
  /// - Parameter onlyFiltered: Whether handlers of all events are left out.
  @discardableResult
  func call(with event: PreferencesEvent, onlyFiltered: Bool = false) -> Bool {
    let numbers = StateLock.change { $0[state].handlers.keys.sorted() }
    var isHandled = false
    for number in numbers {
      // It may have been removed since.
      guard let handler = StateLock.change({ $0[state].handlers[number] }),
        handler.filter?(event) ?? !onlyFiltered
      else { continue }
      handler.body(event)
      isHandled = true
    }
    return isHandled
  }
}
