extension PreferencesEngine {
  /// Handles the events of all stores of this engine; see ``PreferencesStore/onEvent(_:)``.
  public func onEvent(
    _ handler: @escaping @Sendable (PreferencesEvent) -> Void
  ) -> PreferencesObservation {
    let observation = runtime.events.list.add(handler)
    runtime.watching.begin()
    for file in registry.files { file.watchIfDue() }
    return observation
  }

  /// The events of all stores of this engine from now on; see
  /// ``PreferencesStore/events(buffering:)``.
  public func events(buffering limit: Int = 1_000) -> AsyncStream<PreferencesEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: PreferencesEvent.self, bufferingPolicy: .bufferingNewest(limit))
    let observation = onEvent { continuation.yield($0) }
    continuation.onTermination = { _ in observation.cancel() }
    return stream
  }

  package func post(_ event: PreferencesEvent, isHandled: Bool = false) {
    runtime.events.post(event, isHandled: isHandled)
  }
}
