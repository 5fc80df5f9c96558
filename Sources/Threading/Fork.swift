internal import Glibc
internal import Synchronization

/// What has to be done around a fork, after which the child has one thread, a copy of all memory as it
/// was at that moment, and nobody to finish what other threads had begun.
package enum Fork {
  /// In which order things are made ready: what holds others off first.
  package enum Stage: CaseIterable, Sendable {
    /// Threads come to a halt where they hold no locks.
    case threads
    /// Locks are taken that threads hold only for moments.
    case memory
  }

  private struct Handler {
    var before: @Sendable () -> Void
    var after: @Sendable (_ isChild: Bool) -> Void
  }

  /// The handlers of each stage. Changed while `gate` is closed, as it is during a fork.
  nonisolated(unsafe) private static var handlers: [Stage: [Handler]] = [:]

  private static let gate: Semaphore = {
    let gate = Semaphore()
    pthread_atfork(
      { Fork.prepare() }, { Fork.resume(isChild: false) }, { Fork.resume(isChild: true) })
    return gate
  }()

  private static let forks = Atomic<UInt32>(0)

  /// The threads that have forked, each at the number of forks before: of all threads of that process it
  /// alone went on in the child. Changed only while a child has no other one.
  nonisolated(unsafe) private static var survivors: [pthread_t] = []

  /// How many forks lie between the first process and this one. A change of it means that this is now a
  /// child, without the threads and with the descriptors of its parent.
  package static var count: UInt32 { forks.load(ordering: .relaxed) }

  /// Whether a thread is one of this process.
  ///
  /// Its number alone does not tell: a child gives new threads the numbers of those that it lacks.
  ///
  /// - Parameter forks: The count of the process in which it was seen at work.
  package static func hasSurvived(_ thread: UInt, since forks: UInt32) -> Bool {
    survivors[Int(forks)...].allSatisfy { pthread_equal($0, thread) != 0 }
  }

  /// Has something done around every fork from now on.
  ///
  /// - Parameters:
  ///   - before: Called before the process is forked, on the thread that does it.
  ///   - after: Called on that thread in the parent, and on the only one of the child.
  package static func register(
    _ stage: Stage, before: @escaping @Sendable () -> Void,
    after: @escaping @Sendable (_ isChild: Bool) -> Void
  ) {
    gate.wait()
    handlers[stage, default: []].append(Handler(before: before, after: after))
    gate.post()
  }

  private static func prepare() {
    gate.wait()
    for stage in Stage.allCases { for handler in handlers[stage] ?? [] { handler.before() } }
  }

  private static func resume(isChild: Bool) {
    if isChild {
      survivors.append(pthread_self())
      forks.add(1, ordering: .relaxed)
    }
    for stage in Stage.allCases.reversed() {
      for handler in (handlers[stage] ?? []).reversed() { handler.after(isChild) }
    }
    gate.post()
  }
}
