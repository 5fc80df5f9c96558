internal import Glibc
internal import Threading

/// That a file is used by one holder of all processes, for as long as this object lives.
///
/// It is a lock on an empty file beside the file itself, which stays there. The kernel releases it when the
/// process ends, however it ends. A child that is forked does not have it, and keeps nobody from it: it is
/// of the kind that belongs to the process and not to the open file, unlike ``FileLock``. For the same
/// reason the kernel does not tell holders within a process apart, which is done here.
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
    /// The fork count of the process that has the lock.
    var forks: UInt32
    /// Whether it lasts, and is neither being obtained nor being given up.
    var isKept = false
  }

  /// What this process holds. Descriptors of the locks' files are opened and closed within this lock alone:
  /// whichever of a file is closed, the process loses its lock.
  private static let holdings = Lock<[Key: Holding]>([:])

  private let key: Key
  private let forks: UInt32

  private init(_ key: Key, forks: UInt32) {
    self.key = key
    self.forks = forks
  }

  deinit {
    Self.holdings.withLock { if $0[key]?.forks == forks { $0[key] = nil } }
  }

  /// Refuses the file to others of this process from now on, who wait for the outcome until then.
  package func markHeld() { setKept(true) }

  /// Announces that the claim is given up soon: others of this process wait for that.
  package func markReleasing() { setKept(false) }

  private func setKept(_ isKept: Bool) {
    Self.holdings.withLock { if $0[key]?.forks == forks { $0[key]?.isKept = isKept } }
  }

  private enum Outcome {
    case held(OwnershipLock)
    case refused
    case undecided
  }

  /// Claims the file that a lock's file stands for; nil where somebody else has it.
  fileprivate static func make(_ name: String, in folder: Folder) throws(FileSystemError)
    -> OwnershipLock?
  {
    while true {
      let outcome = try holdings.withLock { holdings throws(FileSystemError) in
        try attempt(name, in: folder, &holdings)
      }
      switch outcome {
      case .held(let claim): return claim
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
      if present.forks == forks { return present.isKept ? .refused : .undecided }
      // It is that of the process from which this one was forked.
      holdings[key] = nil
    }
    let descriptor = try folder.open(name, flags: O_RDWR | O_CREAT, mode: 0o600)
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    while fcntl(descriptor.number, F_SETLK, &lock) != 0 {
      if errno == EAGAIN || errno == EACCES { return .refused }
      guard errno == EINTR else { throw FileSystemError(.lock) }
    }
    let key = Key(try descriptor.information())
    holdings[key] = Holding(descriptor: descriptor, forks: forks)
    return .held(OwnershipLock(key, forks: forks))
  }
}

extension AtomicFile {
  /// Claims the file for this process, and one holder in it; nil where somebody else has it.
  ///
  /// Other claims alone are kept off, not changes of the file.
  package func acquireOwnership() throws(FileSystemError) -> OwnershipLock? {
    try OwnershipLock.make(FileName.make(".", name, ".claim"), in: folder)
  }
}
