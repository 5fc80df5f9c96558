internal import Preferences
internal import Threading

extension TypedPreferenceError {
  private static let handlers = Lock<[@Sendable (TypedPreferenceError) -> Void]>([])

  /// Calls a closure with every error from now on, for as long as the process runs, on the thread
  /// that reads or stores the preference.
  ///
  /// A stored value that cannot be read is reported once, not by each read. Errors for which there is
  /// no handler are printed on standard error; see `RuntimeConfiguration.printsFailures`.
  public static func onFailure(_ handler: @escaping @Sendable (TypedPreferenceError) -> Void) {
    handlers.withLock { $0.append(handler) }
  }

  /// Calls the closures that were passed to ``onFailure(_:)``, and posts the event.
  func report(by engine: PreferencesEngine) {
    let handlers = Self.handlers.withLock { $0 }
    for handler in handlers { handler(self) }
    engine.post(
      .valueFailure(domain: domain, key: key, reason: summary), isHandled: !handlers.isEmpty)
  }
}
