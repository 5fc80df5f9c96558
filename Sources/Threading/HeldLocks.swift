internal import Glibc

/// How many locks the present thread holds, which debug builds count to be sure that none is held while
/// code is called that may do anything.
package enum HeldLocks {
  #if DEBUG
    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      return key
    }()

    private static var count: Int {
      get { Int(bitPattern: pthread_getspecific(key)) }
      set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
    }
  #endif

  /// Counts a lock that was taken.
  @inline(__always)
  package static func didLock() {
    #if DEBUG
      count += 1
    #endif
  }

  /// Counts a lock that is about to be released.
  @inline(__always)
  package static func willUnlock() {
    #if DEBUG
      count -= 1
    #endif
  }

  /// Stops the process in debug builds when the thread holds a lock.
  @inline(__always)
  package static func assertNone(_ text: @autoclosure () -> String) {
    #if DEBUG
      precondition(count == 0, text())
    #endif
  }
}
