internal import Glibc
internal import Threading

/// An exclusive advisory lock that lets one owner among all processes use a file, for the lifetime
/// of this object.
///
/// The lock is on an empty file beside the file itself, and that file is left in place. The kernel
/// releases the lock when the process exits. Unlike ``FileLock``, it belongs to the process and not
/// to the open file, so a forked child neither holds nor prolongs it. For the same reason the
/// kernel does not tell owners within a process apart; this type does.
package final class OwnershipLock: Sendable {
  private struct Key: Hashable {
    var device: UInt64
    var inode: UInt64

    init(_ file: stat) {
      device = UInt64(file.st_dev)
      inode = UInt64(file.st_ino)
    }
  }

  private struct Holding {
    var descriptor: Descriptor
    /// `Fork.count` of the process that holds the lock.
    var forks: UInt32
    /// Whether the lock is neither being acquired nor being released.
    var isHeld = false
  }

  /// The locks that this process holds. Their descriptors are opened and closed only under this
  /// lock: a process loses a lock when it closes any descriptor of the file.
  private static let holdings = Lock<[Key: Holding]>([:])

  private let key: Key
  private let forks: UInt32

  private init(_ key: Key, forks: UInt32) { (self.key, self.forks) = (key, forks) }

  deinit {
    Self.holdings.withLock { if $0[key]?.forks == forks { $0[key] = nil } }
  }

  /// From now on, attempts of this process to acquire the lock fail immediately; before, they
  /// waited.
  package func markHeld() { setHeld(true) }

  /// From now on, attempts of this process to acquire the lock wait for its release.
  package func markReleasing() { setHeld(false) }

  private func setHeld(_ isHeld: Bool) {
    Self.holdings.withLock { if $0[key]?.forks == forks { $0[key]?.isHeld = isHeld } }
  }

  private enum Outcome {
    case acquired(OwnershipLock)
    case refused
    /// This process is acquiring or releasing the lock.
    case undecided
  }

  /// Acquires the lock on a lock file; nil if another owner holds it.
  fileprivate static func acquire(
    _ name: String, in folder: Folder
  ) throws(FileSystemError) -> OwnershipLock? {
    while true {
      let outcome = try holdings.withLock { holdings throws(FileSystemError) in
        try attempt(name, in: folder, &holdings)
      }
      switch outcome {
      case .acquired(let lock): return lock
      case .refused: return nil
      case .undecided: Duration.milliseconds(1).sleep()
      }
    }
  }

  private static func attempt(
    _ name: String, in folder: Folder, _ holdings: inout [Key: Holding]
  ) throws(FileSystemError) -> Outcome {
    let forks = Fork.count
    if let key = try folder.information(on: name).map({ Key($0) }), let present = holdings[key] {
      if present.forks == forks { return present.isHeld ? .refused : .undecided }
      // The parent of this process holds it.
      holdings[key] = nil
    }
    let descriptor = try folder.open(name, flags: O_RDWR | O_CREAT, mode: 0o600)
    var lock = flock(F_WRLCK)
    while fcntl(descriptor.number, F_SETLK, &lock) != 0 {
      if errno == EAGAIN || errno == EACCES { return .refused }
      guard errno == EINTR else { throw FileSystemError(.lock) }
    }
    let key = Key(try descriptor.information())
    holdings[key] = Holding(descriptor: descriptor, forks: forks)
    return .acquired(OwnershipLock(key, forks: forks))
  }
}

extension AtomicFile {
  /// Acquires exclusive ownership of the file; nil if another owner, of any process, has it. The
  /// lock excludes other owners only, not changes of the file.
  package func acquireOwnership() throws(FileSystemError) -> OwnershipLock? {
    try OwnershipLock.acquire(FileName.make(".", name, ".claim"), in: folder)
  }

  /// The owner of the file; nil if there is none. Must not be used for a file that this process
  /// owns.
  package func owner() throws(FileSystemError) -> LockOwner? {
    let name = FileName.make(".", name, ".claim")
    let descriptor: Descriptor
    do throws(FileSystemError) {
      descriptor = try folder.open(name, flags: O_RDWR)
    } catch {
      if error.isMissing { return nil }
      throw error
    }
    var lock = flock(F_WRLCK)
    guard fcntl(descriptor.number, F_GETLK, &lock) == 0 else { throw FileSystemError(.lock) }
    return lock.l_type == Int16(F_UNLCK) ? nil : LockOwner(lock.l_pid)
  }
}

/// The owner of a file by its ``OwnershipLock``.
package enum LockOwner: Sendable, Equatable {
  /// A process that this one can signal.
  case process(Int32)
  /// A process on another machine or in another container, which has no number here.
  case elsewhere

  /// The owner for the kernel's process number: 0 for a process of another container, and often
  /// negative for one of another machine.
  init(_ process: Int32) { self = process > 0 ? .process(process) : .elsewhere }
}
