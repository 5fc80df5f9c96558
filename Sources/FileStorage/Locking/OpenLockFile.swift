internal import CLinuxFile
internal import Glibc
internal import Threading

/// A file that this process has open to lock it, until the object is released. Locks of
/// ``ByteLocks`` and flock(2) belong to the open file, which a forked child also has open: they
/// would last as long as the child. So the child closes the file at once.
final class OpenLockFile: Sendable {
  private struct Entry {
    var number: Int32
    var thread: pthread_t
  }

  /// All that are open.
  private static let entries: Lock<[ObjectIdentifier: Entry]> = {
    Fork.register(.running) { isChild in
      if isChild { closeInherited() }
    }
    return Lock([:])
  }()

  let descriptor: Descriptor
  private let forks = Fork.count

  /// Registers a file that was just opened; nil if the process may have forked since.
  ///
  /// - Parameter forks: `Fork.made` before the file was opened.
  init?(_ descriptor: Descriptor, since forks: UInt32) {
    self.descriptor = descriptor
    let isRegistered = Self.entries.withLock { entries in
      // No fork is made while the lock is held.
      guard Fork.made == forks else { return false }
      entries[ObjectIdentifier(self)] = Entry(number: descriptor.number, thread: pthread_self())
      return true
    }
    if !isRegistered { return nil }
  }

  /// Opens a file that is to be locked.
  ///
  /// - Parameter open: Opens the file. It is called again, and then not for the first time, if the
  ///   process has forked since.
  static func open(
    _ open: (_ isFirst: Bool) throws(FileSystemError) -> Descriptor
  ) throws(FileSystemError) -> OpenLockFile {
    var isFirst = true
    while true {
      let forks = Fork.made
      if let file = OpenLockFile(try open(isFirst), since: forks) { return file }
      isFirst = false
    }
  }

  deinit {
    Self.entries.withLock { $0[ObjectIdentifier(self)] = nil }
  }

  /// Whether the process is a child of the one that opened the file: it has lost the lock.
  var isLost: Bool { forks != Fork.count }

  private static func closeInherited() {
    let inherited = entries.withLock { entries in
      defer { entries = [:] }
      return entries.values
    }
    for entry in inherited {
      close(entry.number)
      guard pthread_equal(entry.thread, pthread_self()) != 0 else { continue }
      // This thread will close the number once more.
      let substitute = larder_event_descriptor()
      if substitute >= 0, substitute != entry.number {
        dup3(substitute, entry.number, O_CLOEXEC)
        close(substitute)
      }
    }
  }
}

/// An advisory lock on a folder, under which names in it are checked and changed in one step. A
/// file can have two lock holders after its lock file was removed. No program removes the folder
/// that way, so one of them then sees what the other has done.
struct FolderLock: Sendable {
  /// The time after which a holder of the lock is not waited for any longer: it is not a writer of
  /// this package.
  private static let patience = Duration.milliseconds(200)

  /// The folder, opened for this lock alone: threads that share an open folder would share the lock.
  /// Nil if the process may not read it.
  private let folder: OpenLockFile?

  init(_ folder: Folder) {
    self.folder = try? OpenLockFile.open { _ throws(FileSystemError) in
      try Descriptor.open(".", in: folder.descriptor, flags: O_RDONLY | O_DIRECTORY)
    }
  }

  /// Calls a closure under the lock, with whether the folder is locked.
  func withLock<Result>(
    _ body: (_ isLocked: Bool) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    let isLocked = lock()
    defer { if isLocked { unlock() } }
    return try body(isLocked)
  }

  /// Locks the folder and returns whether it is locked. It is not on most network file systems, and
  /// while another program keeps it locked.
  func lock() -> Bool {
    guard let folder, !folder.isLost else { return false }
    let deadline = ContinuousClock.now + Self.patience
    var pause = Duration.microseconds(50)
    while ForkGate.shared.allowingForks({ flock(folder.descriptor.number, LOCK_EX | LOCK_NB) }) != 0
    {
      guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < deadline else {
        return false
      }
      pause.sleep()
      pause = min(pause * 2, .milliseconds(1))
    }
    return true
  }

  /// Unlocks the folder. A child made without fork handlers may also have the descriptor: closing
  /// alone would not unlock.
  func unlock() {
    if let folder { flock(folder.descriptor.number, LOCK_UN) }
  }
}
