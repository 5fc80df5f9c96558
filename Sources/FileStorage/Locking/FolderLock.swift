internal import Glibc
internal import Threading

/// An advisory lock on a folder, held to check and change names in it in one step. After its lock
/// file was removed, a file can have two lock holders. The folder is not removed that way, so under
/// its lock one of them sees what the other has done.
struct FolderLock: Sendable {
  /// How long to wait for a holder of the lock. A program that holds it longer is not a writer of
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

  /// Locks the folder and returns whether that succeeded. It fails on most network file systems,
  /// and while another program keeps the folder locked.
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
