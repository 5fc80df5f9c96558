internal import Synchronization

/// A request to give up waiting, which one thread makes and another one sees that waits for a lock.
package final class Cancellation: Sendable {
  /// The request that concerns what the current thread does.
  @TaskLocal package static var current: Cancellation?

  private let flag = Atomic(false)

  package init() {}

  /// Makes the request.
  package func request() { flag.store(true, ordering: .relaxed) }

  /// Whether the request has been made.
  package var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Whether what the current thread waits for is to be given up.
  package static var isRequested: Bool { current?.isRequested ?? false }
}
