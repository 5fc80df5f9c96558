internal import Threading

extension TypedPreferenceError {
  private static let handlers = Lock<[@Sendable (TypedPreferenceError) -> Void]>([])

  /// Calls a closure with every error from now on, for as long as the process runs, on the thread
  /// that reads or stores the preference.
  ///
  /// A stored value that cannot be read is reported once, not by each read.
  public static func onFailure(_ handler: @escaping @Sendable (TypedPreferenceError) -> Void) {
    handlers.withLock { $0.append(handler) }
  }

  /// Calls the closures that were passed to ``onFailure(_:)``.
  func report() {
    for handler in Self.handlers.withLock({ $0 }) { handler(self) }
  }
}
