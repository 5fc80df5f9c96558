internal import Glibc

/// Calls made one after another, whichever threads add them.
///
/// If no other thread is making calls, a thread that adds a call makes it, and then all calls that
/// were added in the meantime. Otherwise the other thread makes it. The queue only decides; its
/// owner guards it with a lock, and makes calls and releases them without locks.
///
/// It is not generic, because unspecialized generic code takes several times as long.
package struct SerialQueue {
  /// A call. It wraps the closure, because generic code would convert a bare function to and from
  /// its own form at each access.
  package struct Call: Sendable {
    fileprivate var body: @Sendable () -> Void
  }

  private var calls = Queue<Call>()
  /// The thread that makes calls.
  private var caller: ThreadIdentity?

  package init() {}

  /// Adds a call. The caller then calls ``begin()``.
  package mutating func append(_ body: @escaping @Sendable () -> Void) {
    calls.append(Call(body: body))
  }

  /// Takes the first call, so that the calling thread makes it and the calls that follow; nil if
  /// there is none, or if another thread is making calls.
  package mutating func begin() -> Call? {
    if let caller, !caller.isGone { return nil }
    caller = .current
    return next()
  }

  /// Takes the next call on the thread that makes calls. Nil if there is none; the thread then
  /// makes no more.
  package mutating func next() -> Call? {
    let call = calls.popFirst()
    if call == nil { caller = nil }
    return call
  }

  /// Removes and returns all calls, so that they are released without locks.
  package mutating func removeAll() -> Queue<Call> { exchange(&calls, with: Queue()) }

  /// Makes a call and the calls that follow it.
  package static func make(_ first: consuming Call?, then next: () -> Call?) {
    var call = first
    while let current = call {
      current.body()
      call = next()
    }
  }
}

/// A thread that was seen running. A fork may leave it behind in the parent.
private struct ThreadIdentity: Sendable {
  private let thread: pthread_t
  private let forks: UInt32

  static var current: ThreadIdentity {
    ThreadIdentity(thread: pthread_self(), forks: Fork.count)
  }

  /// Whether the thread was left behind in the parent of this process.
  var isGone: Bool { !Fork.hasSurvived(thread, since: forks) }
}
