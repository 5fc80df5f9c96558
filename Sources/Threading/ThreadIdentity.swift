internal import Glibc

/// A thread that was seen running. A fork may leave it behind in the parent.
package struct ThreadIdentity: Sendable {
  private let thread: pthread_t
  private let forks: UInt32

  package static var current: ThreadIdentity {
    ThreadIdentity(thread: pthread_self(), forks: Fork.count)
  }

  /// Whether the thread was left behind in the parent of this process.
  package var isGone: Bool { !Fork.hasSurvived(thread, since: forks) }
}
