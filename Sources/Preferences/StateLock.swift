internal import CLinuxFile
internal import FileStorage
internal import Glibc

/// The lock of all that the stores of the process hold in memory.
///
/// There is one for all of them, so that a search over many layers takes one lock and sees all layers at
/// the same moment, and changes of any domain have one order, in which observers see them.
///
/// Reading takes one of several mutexes, that of the processor that the thread runs on: readers on
/// different processors share nothing. A change is made by one thread at a time, and only the moment in
/// which it becomes visible, ``publish(_:)``, takes all of those mutexes. So readers wait neither for
/// what a change has to work out beforehand nor for each other.
enum StateLock {
  /// Counts what makes stores find out anew which layers they have to look at. Guarded by the lock
  /// itself.
  nonisolated(unsafe) private(set) static var epoch: UInt64 = 1

  private struct Mutexes {
    /// The mutex of changes.
    let change: UnsafeMutablePointer<pthread_mutex_t>
    /// Those of readers, each on cache lines of its own.
    let stripes: UnsafeMutableRawPointer
    /// Their number, a power of two, less one.
    let mask: UInt32

    /// Two lines, since processors fetch them in pairs.
    static let stride = 128

    init() {
      // That of changes finds a thread that takes it twice, which is always an error.
      change = .allocate(capacity: 1)
      let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_CONF)))
      var count = 1
      while count < processors, count < 64 { count *= 2 }
      stripes = .allocate(byteCount: count * Self.stride, alignment: Self.stride)
      mask = UInt32(count - 1)
      makeMutexes()
    }

    /// Makes all mutexes, released.
    func makeMutexes() {
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
      pthread_mutex_init(change, &attributes)
      pthread_mutexattr_destroy(&attributes)
      for index in 0...mask { pthread_mutex_init(stripe(index), nil) }
    }

    @inline(__always)
    func stripe(_ index: UInt32) -> UnsafeMutablePointer<pthread_mutex_t> {
      (stripes + Int(index & mask) * Self.stride).assumingMemoryBound(to: pthread_mutex_t.self)
    }

    func lockStripes() {
      for index in 0...mask { pthread_mutex_lock(stripe(index)) }
    }

    func unlockStripes() {
      for index in (0...mask).reversed() { pthread_mutex_unlock(stripe(index)) }
    }
  }

  nonisolated(unsafe) private static let mutexes: Mutexes = {
    let mutexes = Mutexes()
    nonisolated(unsafe) let atFork = mutexes
    Fork.register(.memory) {
      pthread_mutex_lock(atFork.change)
      atFork.lockStripes()
    } after: { isChild in
      if isChild {
        // The thread has another number now, and could not release what it holds.
        atFork.makeMutexes()
        epoch += 1
      } else {
        atFork.unlockStripes()
        pthread_mutex_unlock(atFork.change)
      }
    }
    return mutexes
  }()

  /// Reads what is visible. The closure is short and calls nothing that is not the library's.
  @inline(__always)
  static func read<Result>(_ body: () -> Result) -> Result {
    let mutex = mutexes.stripe(larder_processor())
    pthread_mutex_lock(mutex)
    HeldLocks.enter()
    defer {
      HeldLocks.leave()
      pthread_mutex_unlock(mutex)
    }
    return body()
  }

  /// Prepares a change, reads what only changes touch, or looks at much at once. Readers go on; whoever
  /// else has to change something waits.
  ///
  /// Nothing that a user of the library has made may be called or released in here.
  @inline(__always)
  static func change<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = pthread_mutex_lock(mutexes.change)
    precondition(result == 0, "a change is made within another one")
    HeldLocks.enter()
    defer {
      HeldLocks.leave()
      pthread_mutex_unlock(mutexes.change)
    }
    return try body()
  }

  /// Makes a change visible, within ``change(_:)``, while no thread reads. It takes the same short time
  /// however much there is.
  @inline(__always)
  static func publish<Result>(_ body: () -> Result) -> Result {
    mutexes.lockStripes()
    defer { mutexes.unlockStripes() }
    return body()
  }

  /// Has all stores find out anew what they have to look at. Called within ``publish(_:)``.
  static func beginEpoch() {
    epoch += 1
  }
}
