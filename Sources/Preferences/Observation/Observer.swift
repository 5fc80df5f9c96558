internal import Glibc
internal import PropertyList
internal import Threading

/// Somebody who hears of changes, one after another.
///
/// Changes enter its queue in the order in which they are made. Whoever finds that nobody is calling it
/// calls it with all that has gathered; so its calls never overlap, and each change begins with the
/// value with which the one before it ended.
final class Observer: @unchecked Sendable {
  // Sendable because all that varies is guarded by `StateLock.change`.
  private var handler: (@Sendable (PreferencesChange) -> Void)?
  private var queue: [PreferencesChange] = []
  private var caller: Caller?
  /// Whether it hears of what is changed within ``Propagation/mute(_:)``.
  private let hearsMuted: Bool

  /// The thread that calls it.
  private struct Caller {
    var thread: pthread_t
    var forks: UInt32

    /// Whether the thread has been left behind in the parent of this process.
    var isGone: Bool { !Fork.hasSurvived(thread, since: forks) }
  }

  init(
    hearsMuted: Bool = true, _ handler: @escaping @Sendable (PreferencesChange) -> Void
  ) {
    self.hearsMuted = hearsMuted
    self.handler = handler
  }

  /// Adds a change to the queue. Called within ``StateLock/change(_:)``.
  func enqueue(_ change: PreferencesChange, isMuted: Bool = false) {
    if handler != nil, hearsMuted || !isMuted { queue.append(change) }
  }

  /// Calls the handler with what is in the queue, unless somebody is about to.
  func deliver() {
    HeldLocks.assertNone("an observer is called with a lock held")
    if StateLock.change({ beginCalling() }) { call() }
  }

  /// Notes that this thread calls it from now on, unless another one does. Called within
  /// ``StateLock/change(_:)``.
  func beginCalling() -> Bool {
    if let caller, !caller.isGone { return false }
    caller = Caller(thread: pthread_self(), forks: Fork.count)
    return true
  }

  /// Calls the handler with what is in the queue, as the thread that does.
  func call() {
    while let (handler, changes) = StateLock.change({ next() }) {
      for change in changes {
        // It may have been canceled by now.
        guard StateLock.change({ self.handler != nil }) else { break }
        handler(change)
      }
    }
  }

  private func next() -> (@Sendable (PreferencesChange) -> Void, [PreferencesChange])? {
    guard let handler, !queue.isEmpty else {
      caller = nil
      return nil
    }
    return (handler, exchange(&queue, with: []))
  }

  /// Sees to it that no further call begins.
  ///
  /// - Returns: What is to be released when no lock is held. Called within ``StateLock/change(_:)``.
  func cancel() -> Any {
    (exchange(&handler, with: nil), exchange(&queue, with: [])) as Any
  }
}
