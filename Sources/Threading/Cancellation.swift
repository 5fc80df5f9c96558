internal import Synchronization

/// A request to give up waiting, which one thread makes and another one sees that waits for a lock.
package final class Cancellation: Sendable {
  private static let ofThread = ThreadLocal<Cancellation>()

  private let flag = Atomic(false)

  package init() {}

  /// Makes the request.
  package func request() { flag.store(true, ordering: .relaxed) }

  /// Whether the request has been made.
  package var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Calls a closure whose waits on the calling thread end when the request is made. Tasks that the
  /// closure creates are not concerned.
  package func whileRunning<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Self.ofThread.withValue(self, body)
  }

  /// Whether the calling thread has to check for a request while it waits.
  package static var isPossible: Bool { ofThread.value != nil }

  /// Whether the calling thread is to give up waiting.
  package static var isRequested: Bool { ofThread.value?.isRequested ?? false }
}
