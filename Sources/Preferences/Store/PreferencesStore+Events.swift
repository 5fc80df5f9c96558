extension PreferencesStore {
  /// Adds a handler of events of all stores of the process.
  ///
  /// - Parameter handler: Called on the thread that causes the event, or on one of the library, as
  ///   long as the result is kept and not canceled. No lock is held meanwhile.
  public static func onEvent(
    _ handler: @escaping @Sendable (PreferencesEvent) -> Void
  ) -> PreferencesObservation {
    let observation = PreferencesEvent.addHandler(handler)
    FileWatching.begin()
    for file in DomainRegistry.shared.files { file.watchIfDue() }
    return observation
  }
}
