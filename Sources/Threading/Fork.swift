internal import Glibc
internal import Synchronization

/// Fork handlers and counts of forks.
///
/// A child has a single thread and a copy of all memory. Work that other threads had begun stays
/// unfinished there. ``ForkGate`` delays forks if that would matter.
package enum Fork {
  /// When handlers run.
  package enum Stage: Sendable {
    /// While other threads run: before they are stopped and after they resume.
    case running
    /// While the ``ForkGate`` is closed: for taking locks that the gate does not count.
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

  /// Guards ``list``. Held inside the gate or by the thread that forks.
  private static let listAccess = Semaphore()
  /// Handlers in the order they run before a fork; after it they run in reverse.
  nonisolated(unsafe) private static var list: [Handler] = []
  /// The handlers of the fork in progress. Guarded by ``turn``.
  nonisolated(unsafe) private static var current: [Handler] = []

  private static let forkCount = Atomic<UInt32>(0)
  private static let madeCount = Atomic<UInt32>(0)

  /// The forking thread of each fork, which is the only thread that also exists in the child.
  /// Written only while the child has no other thread.
  nonisolated(unsafe) private static var survivors: [pthread_t] = []

  /// The number of forks between the first process and this one. It changes in a new child, which
  /// has its parent's descriptors but not its threads.
  package static var count: UInt32 { forkCount.load(ordering: .relaxed) }

  /// The number of forks that this process and its ancestors have made or are about to make. It
  /// changes only while the ``ForkGate`` is closed.
  package static var made: UInt32 { madeCount.load(ordering: .relaxed) }

  /// Whether a thread belongs to this process, even if an ancestor started it. The identifier alone
  /// is ambiguous, because a child may reuse the identifiers of lost threads.
  ///
  /// - Parameter forks: ``count`` in the process where the thread was seen running.
  static func hasSurvived(_ thread: UInt, since forks: UInt32) -> Bool {
    survivors[Int(forks)...].allSatisfy { pthread_equal($0, thread) != 0 }
  }

  /// Registers handlers that run around every later fork: `before` on the forking thread, `after`
  /// on that thread in the parent and on the only thread of the child.
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

  /// Installs the `pthread_atfork` handlers.
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
