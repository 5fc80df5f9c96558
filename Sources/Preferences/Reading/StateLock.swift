internal import CLinuxFile
internal import Glibc
internal import Threading

/// The lock that protects everything that the process's stores hold in memory.
///
/// There is one for all stores, so that a search over many layers takes one lock and sees all
/// layers at the same moment, and so that observers see the changes of all domains in one order.
///
/// A read takes one of up to 64 mutexes, chosen by the thread's processor, so that readers on
/// different processors share no cache line. One thread at a time makes changes; only the short
/// step that makes a change visible, ``StateChange/publish(_:)``, takes all of those mutexes.
/// Readers therefore wait neither for the preparation of a change nor for each other.
///
/// Types prove that the lock is held: ``read(_:)`` lends a ``StateRead``, ``change(_:)`` a
/// ``StateChange``, and ``StateChange/publish(_:)`` a ``StatePublication``. Only these give access
/// to ``Guarded`` and ``Published`` cells. The one exception is ``Published/unsafePointer``, for
/// data that only the thread with the turn at a file changes.
struct StateLock: @unchecked Sendable {
  // Sendable because the pointers lead to mutexes, which threads share.

  static let shared = StateLock()

  private let changeMutex: UnsafeMutablePointer<pthread_mutex_t>
  /// The mutexes of readers, each on its own cache lines.
  private let stripes: UnsafeMutableRawPointer
  /// The number of stripes, a power of two, minus one.
  private let mask: UInt32
  /// The current epoch. A search prepared in an earlier one must be prepared again.
  let epoch = Published<UInt64>(1)

  /// The distance of stripes in bytes: two cache lines, because processors prefetch them in pairs.
  private static let stride = 128

  private init() {
    changeMutex = .allocate(capacity: 1)
    let processors = larder_processor_count()
    var count = 1
    while count < (processors > 0 ? processors : 64), count < 64 { count *= 2 }
    stripes = .allocate(byteCount: count * Self.stride, alignment: Self.stride)
    mask = UInt32(count - 1)
    initializeMutexes()
    Fork.register(.stopped) { [self] in
      pthread_mutex_lock(changeMutex)
      lockStripes()
    } after: { [self] isChild in
      if isChild {
        // The child's thread has another number and cannot unlock what its parent locked.
        initializeMutexes()
        // Nothing else runs in the child yet. The shared lock may be in the middle of its
        // initialization and is not used.
        StatePublication()[epoch] += 1
      } else {
        unlockStripes()
        pthread_mutex_unlock(changeMutex)
      }
    }
  }

  /// Initializes all mutexes as unlocked.
  private func initializeMutexes() {
    // The mutex detects a thread that locks it twice, which is always a programming error.
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
    pthread_mutex_init(changeMutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
    for index in 0...mask { pthread_mutex_init(stripe(index), nil) }
  }

  @inline(__always)
  private func stripe(_ index: UInt32) -> UnsafeMutablePointer<pthread_mutex_t> {
    (stripes + Int(index & mask) * Self.stride).assumingMemoryBound(to: pthread_mutex_t.self)
  }

  fileprivate func lockStripes() {
    for index in 0...mask { pthread_mutex_lock(stripe(index)) }
  }

  fileprivate func unlockStripes() {
    for index in (0...mask).reversed() { pthread_mutex_unlock(stripe(index)) }
  }

  /// Reads published state. The closure must be short and must not call code from outside the
  /// library.
  @inline(__always)
  func read<Result>(_ body: (borrowing StateRead) -> Result) -> Result {
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
    return body(StateRead())
  }

  /// Prepares a change, or reads a consistent view of all state. Readers do not wait; other changes
  /// do.
  ///
  /// The closure must not call or release anything made by a user of the library. Nesting is a
  /// programming error.
  @inline(__always)
  static func change<Result, Failure: Error>(
    _ body: (borrowing StateChange) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let mutex = shared.changeMutex
    let result = pthread_mutex_lock(mutex)
    if result != 0 { failNested() }
    #if DEBUG
      HeldLocks.didLock()
    #endif
    defer {
      #if DEBUG
        HeldLocks.willUnlock()
      #endif
      pthread_mutex_unlock(mutex)
    }
    return try body(StateChange())
  }

  /// Prints its message even in a release build.
  @inline(never)
  private static func failNested() -> Never { fatalError("a change is made within another one") }
}

// MARK: Access

/// Read access to published state, lent by ``StateLock/read(_:)``.
struct StateRead: ~Copyable {
  fileprivate init() {}

  subscript<Value: ~Copyable>(cell: Published<Value>.Unretained) -> Value {
    @inline(__always) _read { yield cell.place.pointee }
  }
}

/// Exclusive access to guarded state and read access to published state, lent by
/// ``StateLock/change(_:)``.
struct StateChange: ~Copyable {
  fileprivate init() {}

  subscript<Value: ~Copyable>(cell: Guarded<Value>) -> Value {
    @inline(__always) _read { yield cell.place.pointee }
    @inline(__always) nonmutating _modify { yield &cell.place.pointee }
  }

  subscript<Value: ~Copyable>(cell: Published<Value>) -> Value {
    @inline(__always) _read { yield cell.storage.place.pointee }
  }

  /// Makes a change visible to readers. All of them wait for the closure.
  @inline(__always)
  func publish<Result>(_ body: (borrowing StatePublication) -> Result) -> Result {
    StateLock.shared.lockStripes()
    defer { StateLock.shared.unlockStripes() }
    return body(StatePublication())
  }
}

/// Exclusive access to published state, lent by ``StateChange/publish(_:)``.
struct StatePublication: ~Copyable {
  fileprivate init() {}

  subscript<Value: ~Copyable>(cell: Published<Value>) -> Value {
    @inline(__always) _read { yield cell.storage.place.pointee }
    @inline(__always) nonmutating _modify { yield &cell.storage.place.pointee }
  }

  /// Invalidates the search of every store: a layer that was skipped as empty may have values now.
  func beginEpoch() { self[StateLock.shared.epoch] += 1 }
}

/// A value that one thread at a time can access, through a ``StateChange``.
final class Guarded<Value: ~Copyable>: @unchecked Sendable {
  // Sendable because the value is accessed only with proof that the state lock is held. A pointer
  // avoids exclusivity checks.
  fileprivate let place: UnsafeMutablePointer<Value>

  init(_ value: consuming sending Value) {
    place = .allocate(capacity: 1)
    place.initialize(to: value)
  }

  deinit {
    place.deinitialize(count: 1)
    place.deallocate()
  }
}

/// A value that many threads can read at the same time, through a ``StateRead``. A
/// ``StatePublication`` changes it.
struct Published<Value: ~Copyable>: Sendable {
  fileprivate let storage: Guarded<Value>

  init(_ value: consuming sending Value) { storage = Guarded(value) }

  /// An uncounted reference, for lookups by many threads at the same time. It is valid as long as
  /// the cell exists.
  struct Unretained: @unchecked Sendable {
    // Sendable because the value is accessed only with proof that the state lock is held.
    fileprivate let place: UnsafePointer<Value>
  }

  var unretained: Unretained { Unretained(place: unsafePointer) }

  /// The value without proof that the state lock is held, for deinitializers and for its parts that
  /// another lock protects.
  var unsafePointer: UnsafePointer<Value> { UnsafePointer(storage.place) }
}
