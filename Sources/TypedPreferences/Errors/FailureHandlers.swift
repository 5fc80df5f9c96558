internal import Threading

/// Those who want to hear of preferences that cannot be read or stored.
package enum FailureHandlers {
  private static let handlers = Lock<[@Sendable (TypedPreferenceError) -> Void]>([])

  /// Calls the closure with every failure from now on, on the thread that reads or stores.
  package static func add(_ handler: @escaping @Sendable (TypedPreferenceError) -> Void) {
    handlers.withLock { $0.append(handler) }
  }

  static func report(_ failure: TypedPreferenceError) {
    for handler in handlers.withLock({ $0 }) { handler(failure) }
  }
}
