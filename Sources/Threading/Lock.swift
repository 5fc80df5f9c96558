internal import Glibc

/// A value guarded by a mutex that is held briefly.
///
/// A fork waits while any thread holds one (``ForkGate``), so a child finds it released. A thread
/// must therefore not wait for a file, another thread or code from outside the library while it
/// holds one.
///
/// To guard a dictionary, put it into a structure. For a ``Lock`` of a bare dictionary, the runtime
/// searches all conformances of the program for the conformance of the key type. In a small tool,
/// this takes longer than reading a file.
///
/// The mutex is a pthread mutex because ThreadSanitizer does not understand the standard library's
/// `Mutex`.
package final class Lock<Value>: @unchecked Sendable {
  // Sendable because `value` is accessed only while `mutex` is held.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: Value) {
    mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
    self.value = value
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Calls the closure with exclusive access to the value. Traps if the calling thread already
  /// holds the lock.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let gate = ForkGate.shared
    gate.willLock()
    let result = pthread_mutex_lock(mutex)
    precondition(result == 0, "the calling thread already holds the lock")
    HeldLocks.didLock()
    defer {
      HeldLocks.willUnlock()
      pthread_mutex_unlock(mutex)
      gate.didUnlock()
    }
    return try body(&value)
  }
}

/// Counts the locks that the calling thread holds, in debug builds, to check that none is held
/// while foreign code runs.
package enum HeldLocks {
  #if DEBUG
    private static let count = ThreadLocalWord()
  #endif

  @inline(__always)
  package static func didLock() {
    #if DEBUG
      count.value += 1
    #endif
  }

  @inline(__always)
  package static func willUnlock() {
    #if DEBUG
      count.value -= 1
    #endif
  }

  /// Traps in debug builds if the thread holds a lock.
  @inline(__always)
  package static func assertNone(_ text: @autoclosure () -> String) {
    #if DEBUG
      precondition(count.value == 0, text())
    #endif
  }
}
