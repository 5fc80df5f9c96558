internal import Glibc
internal import Synchronization

/// Handlers around forks, and the count of forks.
///
/// A forked child has a single thread and a copy of all memory at that moment; what other
/// threads had begun stays unfinished there. ``ForkGate`` keeps that from happening where it would
/// matter.
package enum Fork {
  /// The time at which handlers run.
  package enum Stage: Sendable {
    /// While other threads run: before they are stopped, and after they go on.
    case running
    /// While the ``ForkGate`` is closed: takes locks that do not count there.
    case stopped
  }

  private struct Handler {
    var stage: Stage
    var before: @Sendable () -> Void
    var after: @Sendable (_ isChild: Bool) -> Void
  }

  /// Held by the thread that forks, from the first handler to the last.
  private static let turn: Semaphore = {
    let turn = Semaphore()
    pthread_atfork(
      { Fork.runHandlersBefore() }, { Fork.runHandlersAfter(isChild: false) },
      { Fork.runHandlersAfter(isChild: true) })
    return turn
  }()

  /// Held while the list of handlers is used, within the gate or by the thread that forks.
  private static let listAccess = Semaphore()
  /// The handlers in the order in which they run before a fork; after it they run in reverse.
  nonisolated(unsafe) private static var list: [Handler] = []
  /// The handlers of the fork that is being made. Guarded by ``turn``.
  nonisolated(unsafe) private static var current: [Handler] = []

  private static let forkCount = Atomic<UInt32>(0)
  private static let madeCount = Atomic<UInt32>(0)

  /// The forking threads, in order of forks: each is the only thread of its process that its child
  /// has, too. Written only while the child has no other thread.
  nonisolated(unsafe) private static var survivors: [pthread_t] = []

  /// The number of forks between the first process and this one. A change means that this process
  /// is a new child, without the threads but with the descriptors of its parent.
  package static var count: UInt32 { forkCount.load(ordering: .relaxed) }

  /// The number of forks that this process and its ancestors have made or are about to make. It
  /// changes only while the ``ForkGate`` is closed.
  package static var made: UInt32 { madeCount.load(ordering: .relaxed) }

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
    _ stage: Stage, before: @escaping @Sendable () -> Void = {},
    after: @escaping @Sendable (_ isChild: Bool) -> Void
  ) {
    ForkGate.shared.delayingForks {
      listAccess.wait()
      list.append(Handler(stage: stage, before: before, after: after))
      listAccess.post()
    }
  }

  /// Makes handlers run around forks from now on.
  static func start() { _ = turn }

  private static func runHandlersBefore() {
    ForkGate.shared.leaveToFork()
    turn.wait()
    listAccess.wait()
    current = list
    listAccess.post()
    for handler in current where handler.stage == .running { handler.before() }
    ForkGate.shared.close()
    for handler in current where handler.stage == .stopped { handler.before() }
    madeCount.add(1, ordering: .relaxed)
  }

  private static func runHandlersAfter(isChild: Bool) {
    if isChild {
      survivors.append(pthread_self())
      forkCount.add(1, ordering: .relaxed)
    }
    for handler in current.reversed() where handler.stage == .stopped { handler.after(isChild) }
    ForkGate.shared.open(isChild: isChild)
    for handler in current.reversed() where handler.stage == .running { handler.after(isChild) }
    turn.post()
    ForkGate.shared.returnFromFork()
  }
}
