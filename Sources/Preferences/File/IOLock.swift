internal import Threading

/// Serializes what is done with the file of one domain: loading, reloading, committing, recovering.
final class IOLock: Sendable {
  /// The value has no meaning; ThreadSanitizer reports false races on one without bytes.
  private let lock = Lock(false)

  func withLock<Result, Failure: Error>(
    _ body: (borrowing IOAccess) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try lock.withLock { _ throws(Failure) in try body(IOAccess()) }
  }

  /// Does the same, waiting no longer than a time for other threads.
  ///
  /// - Returns: Nil if another thread held the lock for longer, or this thread holds it.
  func withLock<Result, Failure: Error>(
    waiting timeout: Duration, _ body: (borrowing IOAccess) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    try lock.withLock(waiting: timeout) { _ throws(Failure) in try body(IOAccess()) }
  }
}

/// Proof that the thread holds the I/O lock of a domain, which alone loads, reloads and commits it.
struct IOAccess: ~Copyable {
  fileprivate init() {}
}
