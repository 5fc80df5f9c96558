internal import Threading

/// The suppression of notifications of what a thread changes.
package enum Propagation {
  /// The number of nested calls of ``suppressNotifications(_:)`` on this thread.
  private static let depth = ThreadLocalWord()

  /// Whether this thread suppresses notifications of what it changes.
  static var isSuppressed: Bool { depth.value > 0 }

  /// Makes changes of which only observers that include suppressed changes are notified, whichever
  /// thread delivers the notifications.
  package static func suppressNotifications<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    depth.value += 1
    defer { depth.value -= 1 }
    return try body()
  }
}
