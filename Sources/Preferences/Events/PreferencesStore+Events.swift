extension PreferencesStore {
  /// Adds a handler of events of all stores of the process.
  ///
  /// Adding it makes files watched, so that what happens to them is known without a call.
  ///
  /// - Parameter handler: Called on the thread that causes the event, or on one of the library, as
  ///   long as the result is kept and not canceled. No lock is held meanwhile.
  public static func onEvent(
    _ handler: @escaping @Sendable (PreferencesEvent) -> Void
  ) -> PreferencesObservation {
    PreferencesEngine.current.onEvent(handler)
  }

  /// The events of all stores of the process from now on.
  ///
  /// ```swift
  /// for await event in PreferencesStore.events() where event.isWarning {
  ///   logger.warning("\(event)", metadata: ["path": "\(event.path ?? "")"])
  /// }
  /// ```
  ///
  /// - Parameter limit: The number of events that are kept for a task that is behind; the oldest
  ///   ones beyond that are lost.
  public static func events(buffering limit: Int = 1_000) -> AsyncStream<PreferencesEvent> {
    PreferencesEngine.current.events(buffering: limit)
  }
}
