internal import Threading

/// The handlers of the events of the process.
extension PreferencesEvent {
  private static let handlers = HandlerList<PreferencesEvent>()

  /// Adds a handler of events of the whole process.
  ///
  /// - Parameter filter: Returns whether the handler is called with an event; nil for all events.
  static func addHandler(
    where filter: (@Sendable (PreferencesEvent) -> Bool)? = nil,
    _ handler: @escaping @Sendable (PreferencesEvent) -> Void
  ) -> PreferencesObservation {
    handlers.add(where: filter, handler)
  }

  /// Whether there are handlers of all events.
  static func hasHandlers(in change: borrowing StateChange) -> Bool {
    handlers.hasGeneralHandlers(in: change)
  }

  /// Calls the handlers, or prints a warning that nobody handles. No lock may be held.
  ///
  /// - Parameter isHandled: Whether a handler that is not one of these has been called.
  package func post(isHandled: Bool = false) {
    if Self.handlers.call(with: self) || isHandled || !isWarning { return }
    guard RuntimeConfiguration.current.printsFailures else { return }
    FailureLog.shared.print(description, cause: cause)
  }

  /// The text that all events with the same cause have in common. One of them is printed.
  private var cause: String {
    if case .polling(_, let reason) = self { "polling, because \(reason)" } else { description }
  }
}
