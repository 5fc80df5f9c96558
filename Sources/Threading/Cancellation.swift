internal import Synchronization

/// A request from one thread that another thread give up waiting for a lock.
package final class Cancellation: Sendable {
  private static let ofThread = ThreadLocal<Cancellation>()

  private let flag = Atomic(false)

  package init() {}

  /// Makes the request.
  package func request() { flag.store(true, ordering: .relaxed) }

  /// Whether the request has been made.
  package var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Calls a closure. Its waits on the calling thread end when the request is made, but not the
  /// waits of tasks that the closure creates.
  package func whileRunning<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Self.ofThread.withValue(self, body)
  }

  /// Whether the waits of the calling thread can be canceled, so that it checks for requests.
  package static var isPossible: Bool { ofThread.value != nil }

  /// Whether the calling thread should give up waiting.
  package static var isRequested: Bool { ofThread.value?.isRequested ?? false }
}
