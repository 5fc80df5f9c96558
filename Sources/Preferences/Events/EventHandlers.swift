internal import Threading

/// The handlers of the events of an engine.
extension PreferencesEngine {
  /// Adds a handler of events of all stores of this engine.
  ///
  /// Adding it makes files watched, so that what happens to them is known without a call.
  ///
  /// - Parameter handler: Called on the thread that causes the event, or on one of the library, as
  ///   long as the result is kept and not canceled. No lock is held meanwhile.
  public func onEvent(
    _ handler: @escaping @Sendable (PreferencesEvent) -> Void
  ) -> PreferencesObservation {
    let observation = handlers.add(handler)
    watching.begin()
    for file in registry.files { file.watchIfDue() }
    return observation
  }

  /// The events of all stores of this engine from now on.
  ///
  /// - Parameter limit: The number of events that are kept for a task that is behind; the oldest
  ///   ones beyond that are lost.
  public func events(buffering limit: Int = 1_000) -> AsyncStream<PreferencesEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: PreferencesEvent.self, bufferingPolicy: .bufferingNewest(limit))
    let observation = onEvent { continuation.yield($0) }
    continuation.onTermination = { _ in observation.cancel() }
    return stream
  }

  /// Calls the handlers of an event, or prints a warning that nobody handles. No lock may be held.
  ///
  /// - Parameter isHandled: Whether a handler that is not one of these has been called.
  package func post(_ event: PreferencesEvent, isHandled: Bool = false) {
    if handlers.call(with: event) || isHandled || !event.isWarning { return }
    guard configuration.printsFailures else { return }
    FailureLog.shared.print(event.description, cause: event.cause)
  }
}

extension PreferencesEvent {
  /// The text that all events with the same cause have in common. One of them is printed.
  fileprivate var cause: String {
    if case .polling(_, let reason) = self { "polling, because \(reason)" } else { description }
  }
}
