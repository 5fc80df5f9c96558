internal import Glibc
internal import Synchronization

/// Handlers around forks, and the count of forks.
///
/// A forked child has a single thread and a copy of all memory at that moment; what other
/// threads had begun stays unfinished there.
package enum Fork {
  /// The order in which handlers run before a fork; after it they run in reverse.
  package enum Stage: CaseIterable, Sendable {
    /// Stops threads at points where they hold no locks.
    case threads
    /// Takes locks that threads hold only briefly.
    case memory
  }

  private struct Handler {
    var before: @Sendable () -> Void
    var after: @Sendable (_ isChild: Bool) -> Void
  }

  /// The handlers of each stage. Guarded by `semaphore`, which is also held during a fork.
  nonisolated(unsafe) private static var handlers: [Stage: [Handler]] = [:]

  private static let semaphore: Semaphore = {
    let semaphore = Semaphore()
    pthread_atfork(
      { Fork.runHandlersBefore() }, { Fork.runHandlersAfter(isChild: false) },
      { Fork.runHandlersAfter(isChild: true) })
    return semaphore
  }()

  private static let forkCount = Atomic<UInt32>(0)

  /// The forking threads, in order of forks: each is the only thread of its process that its child
  /// has, too. Written only while the child has no other thread.
  nonisolated(unsafe) private static var survivors: [pthread_t] = []

  /// The number of forks between the first process and this one. A change means that this process
  /// is a new child, without the threads but with the descriptors of its parent.
  package static var count: UInt32 { forkCount.load(ordering: .relaxed) }

  /// Returns whether a thread belongs to this process, even if an ancestor started it.
  ///
  /// The identifier alone does not tell: a child may assign those of lost threads to new ones.
  ///
  /// - Parameter forks: ``count`` in the process in which the thread was seen running.
  package static func hasSurvived(_ thread: UInt, since forks: UInt32) -> Bool {
    survivors[Int(forks)...].allSatisfy { pthread_equal($0, thread) != 0 }
  }

  /// Registers handlers that run around every later fork.
  ///
  /// - Parameters:
  ///   - before: Called before the fork, on the forking thread.
  ///   - after: Called on that thread in the parent, and on the only thread of the child.
  package static func register(
    _ stage: Stage, before: @escaping @Sendable () -> Void,
    after: @escaping @Sendable (_ isChild: Bool) -> Void
  ) {
    semaphore.wait()
    handlers[stage, default: []].append(Handler(before: before, after: after))
    semaphore.post()
  }

  private static func runHandlersBefore() {
    semaphore.wait()
    for stage in Stage.allCases { for handler in handlers[stage] ?? [] { handler.before() } }
  }

  private static func runHandlersAfter(isChild: Bool) {
    if isChild {
      survivors.append(pthread_self())
      forkCount.add(1, ordering: .relaxed)
    }
    for stage in Stage.allCases.reversed() {
      for handler in (handlers[stage] ?? []).reversed() { handler.after(isChild) }
    }
    semaphore.post()
  }
}
