internal import CLinuxFile
internal import Glibc
internal import Threading

/// The lock of all that the stores of the process hold in memory.
///
/// There is one for all of them, so that a search over many layers takes one lock and sees all layers at
/// the same moment, and changes of any domain have one order, in which observers see them.
///
/// Reading takes one of several mutexes, that of the processor that the thread runs on: readers on
/// different processors share nothing. A change is made by one thread at a time, and only the moment in
/// which it becomes visible, ``publish(_:)``, takes all of those mutexes. So readers wait neither for
/// what a change has to work out beforehand nor for each other.
struct StateLock: @unchecked Sendable {
  // Sendable because the pointers lead to mutexes, and to a number that they guard.

  /// The only one.
  static let shared = StateLock()

  /// Makes it, so that it is ready for a fork.
  static func makeReady() { _ = shared }

  /// The mutex of changes.
  private let changing: UnsafeMutablePointer<pthread_mutex_t>
  /// Those of readers, each on cache lines of its own.
  private let stripes: UnsafeMutableRawPointer
  /// Their number, a power of two, less one.
  private let mask: UInt32
  private let epochPlace: UnsafeMutablePointer<UInt64>

  /// Two lines, since processors fetch them in pairs.
  private static let stride = 128

  private init() {
    changing = .allocate(capacity: 1)
    epochPlace = .allocate(capacity: 1)
    epochPlace.initialize(to: 1)
    let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_CONF)))
    var count = 1
    while count < processors, count < 64 { count *= 2 }
    stripes = .allocate(byteCount: count * Self.stride, alignment: Self.stride)
    mask = UInt32(count - 1)
    makeMutexes()
    Fork.register(.memory) { [self] in
      pthread_mutex_lock(changing)
      lockStripes()
    } after: { [self] isChild in
      if isChild {
        // The thread has another number now, and could not release what it holds.
        makeMutexes()
        epochPlace.pointee += 1
      } else {
        unlockStripes()
        pthread_mutex_unlock(changing)
      }
    }
  }

  /// Makes all mutexes, released.
  private func makeMutexes() {
    // That of changes finds a thread that takes it twice, which is always an error.
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
    pthread_mutex_init(changing, &attributes)
    pthread_mutexattr_destroy(&attributes)
    for index in 0...mask { pthread_mutex_init(stripe(index), nil) }
  }

  @inline(__always)
  private func stripe(_ index: UInt32) -> UnsafeMutablePointer<pthread_mutex_t> {
    (stripes + Int(index & mask) * Self.stride).assumingMemoryBound(to: pthread_mutex_t.self)
  }

  private func lockStripes() {
    for index in 0...mask { pthread_mutex_lock(stripe(index)) }
  }

  private func unlockStripes() {
    for index in (0...mask).reversed() { pthread_mutex_unlock(stripe(index)) }
  }

  /// Counts what makes stores find out anew which layers they have to look at.
  @inline(__always)
  var epoch: UInt64 { epochPlace.pointee }

  /// Reads what is visible. The closure is short and calls nothing that is not the library's.
  @inline(__always)
  func read<Result>(_ body: () -> Result) -> Result {
    let mutex = stripe(larder_processor())
    pthread_mutex_lock(mutex)
    #if DEBUG
      HeldLocks.didLock()
    #endif
    defer {
      #if DEBUG
        HeldLocks.willUnlock()
      #endif
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
    let mutex = shared.changing
    let result = pthread_mutex_lock(mutex)
    precondition(result == 0, "a change is made within another one")
    #if DEBUG
      HeldLocks.didLock()
    #endif
    defer {
      #if DEBUG
        HeldLocks.willUnlock()
      #endif
      pthread_mutex_unlock(mutex)
    }
    return try body()
  }

  /// Makes a change visible, within ``change(_:)``, while no thread reads. It takes the same short time
  /// however much there is.
  @inline(__always)
  static func publish<Result>(_ body: () -> Result) -> Result {
    shared.lockStripes()
    defer { shared.unlockStripes() }
    return body()
  }

  /// Has all stores find out anew what they have to look at. Called within ``publish(_:)``.
  static func beginEpoch() {
    shared.epochPlace.pointee += 1
  }
}
