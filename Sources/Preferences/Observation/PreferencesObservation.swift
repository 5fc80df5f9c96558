/// A handle that keeps a handler in effect until it is canceled or released.
public final class PreferencesObservation: Sendable {
  private let onCancel: @Sendable () -> Void

  /// - Parameter onCancel: Called when the observation is canceled, possibly more than once.
  init(onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = onCancel
  }

  deinit {
    cancel()
  }

  /// Ends the observation: no further call of the handler begins. A call that has begun on another
  /// thread is not waited for. Canceling again has no effect.
  public func cancel() {
    onCancel()
  }
}
