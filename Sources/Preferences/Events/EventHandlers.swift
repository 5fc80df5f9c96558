internal import Synchronization

/// The handlers of the events of an engine.
final class EventHandlers: Sendable {
  /// The handlers of the engine of the process.
  static let process = EventHandlers()

  let list = HandlerList<PreferencesEvent>()
  /// Whether warnings that have no handler are printed.
  let printsFailures = Atomic(true)

  /// Calls the handlers of an event, or prints a warning that has no handler. No lock may be held.
  ///
  /// - Parameter isHandled: Whether a handler outside the engine has been called.
  func post(_ event: PreferencesEvent, isHandled: Bool = false) {
    if list.call(with: event) || isHandled || !event.isWarning { return }
    if printsFailures.load(ordering: .relaxed) { FailureLog.shared.print(event) }
  }
}
