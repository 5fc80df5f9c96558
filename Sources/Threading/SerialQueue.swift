/// Calls that are made one after another, whichever threads ask for them.
///
/// The thread that adds a call makes it and all that are added until it has returned, unless another
/// thread is making calls, which then makes this one as well. The queue only decides; its owner
/// guards it with a lock, and makes calls and releases them while no lock is held.
///
/// It is not generic, since generic code that is not specialized takes several times as long.
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

  /// Adds a call. ``begin()`` has to follow.
  package mutating func append(_ body: @escaping @Sendable () -> Void) {
    calls.append(Call(body: body))
  }

  /// Takes the first call; nil if there is none, or if another thread makes calls. This thread has to
  /// make it, and those that follow it.
  package mutating func begin() -> Call? {
    if let caller, !caller.isGone { return nil }
    caller = .current
    return next()
  }

  /// Takes the next call on the thread that makes calls; nil if there is none, which ends this.
  package mutating func next() -> Call? {
    let call = calls.popFirst()
    if call == nil { caller = nil }
    return call
  }

  /// Removes all calls, and returns them to be released.
  package mutating func removeAll() -> Queue<Call> { exchange(&calls, with: Queue()) }

  /// Makes a call and those that follow it.
  package static func make(_ first: consuming Call?, then next: () -> Call?) {
    var call = first
    while let current = call {
      current.body()
      call = next()
    }
  }
}
