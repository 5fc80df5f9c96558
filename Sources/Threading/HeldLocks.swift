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
