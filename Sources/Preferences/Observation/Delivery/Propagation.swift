internal import Threading

/// Suppresses notifications of the changes that a thread makes.
package enum Propagation {
  /// The nested calls of ``suppressNotifications(_:)`` on this thread.
  private static let depth = ThreadLocalWord()

  static var isSuppressed: Bool { depth.value > 0 }

  /// Makes changes and notifies only observers of suppressed changes, on any thread.
  package static func suppressNotifications<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    depth.value += 1
    defer { depth.value -= 1 }
    return try body()
  }
}
