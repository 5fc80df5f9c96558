internal import PropertyList

/// Has observers that may have to be notified when the values of a domain change.
protocol ChangeSubscriber: AnyObject, Sendable {
  /// The effective values, over all layers, of the keys that have observers.
  func observedValues(
    of keys: some Collection<String>, in change: borrowing StateChange
  ) -> [ObservedValue]

  /// Queues a notification for each observer of a key whose effective value has changed.
  ///
  /// - Parameters:
  ///   - old: The effective values before the change.
  ///   - isSuppressed: Whether the change was made in ``Propagation/suppressNotifications(_:)``.
  func enqueueNotifications(
    since old: [ObservedValue], isSuppressed: Bool, in change: borrowing StateChange,
    _ delivery: inout Delivery)
}

/// A key and its effective value, if any layer has one.
typealias ObservedValue = (key: String, value: PlistValue?)
