public import PropertyList

/// Keeps a handler in effect until this is canceled or released.
public final class PreferencesObservation: Sendable {
  private let onCancel: @Sendable () -> Void

  /// - Parameter onCancel: May be called more than once.
  init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

  deinit { cancel() }

  /// Ends the observation. No further call of the handler begins, but a call on another thread may
  /// still be running. Canceling again has no effect.
  public func cancel() { onCancel() }
}

/// A change of a key's effective value over all layers.
public struct PreferencesChange: Sendable, Hashable {
  /// The key.
  public var key: String
  /// The value before the change; nil if no layer had one.
  public var oldValue: PlistValue?
  /// The value after the change; nil if no layer has one.
  public var newValue: PlistValue?
}
