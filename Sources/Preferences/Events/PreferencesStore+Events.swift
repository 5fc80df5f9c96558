extension PreferencesStore {
  /// Handles the events of all stores of the process. This starts watching files, so that events do
  /// not depend on calls.
  ///
  /// - Parameter handler: Called without locks, on the thread that causes the event or on a thread
  ///   of the library, until the result is canceled or released.
  public static func onEvent(
    _ handler: @escaping @Sendable (PreferencesEvent) -> Void
  ) -> PreferencesObservation {
    currentEngine.onEvent(handler)
  }

  /// The events of all stores of the process from now on.
  ///
  /// ```swift
  /// for await event in PreferencesStore.events() where event.isWarning {
  ///   logger.warning("\(event)", metadata: ["path": "\(event.path ?? "")"])
  /// }
  /// ```
  ///
  /// - Parameter limit: The number of events kept for a slow task; older ones are dropped.
  public static func events(buffering limit: Int = 1_000) -> AsyncStream<PreferencesEvent> {
    currentEngine.events(buffering: limit)
  }

  /// Metrics of the library's work in this process; see ``PreferencesEngine/statistics``.
  public static var statistics: PreferencesStatistics { currentEngine.statistics }
}
