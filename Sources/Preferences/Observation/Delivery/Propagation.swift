internal import Glibc

/// The suppression of notifications of what a thread changes.
package enum Propagation {
  /// The number of nested calls of ``suppressNotifications(_:)`` on this thread.
  private static let depth: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Whether this thread suppresses notifications of what it changes.
  static var isSuppressed: Bool { pthread_getspecific(depth) != nil }

  /// Makes changes of which only observers that include suppressed changes are notified, whichever
  /// thread delivers the notifications.
  package static func suppressNotifications<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = pthread_getspecific(depth)
    pthread_setspecific(depth, UnsafeRawPointer(bitPattern: UInt(bitPattern: outer) + 1))
    defer { pthread_setspecific(depth, outer) }
    return try body()
  }
}
