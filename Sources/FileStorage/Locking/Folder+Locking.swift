internal import Glibc
internal import Threading

extension Folder {
  /// The time after which a holder of the lock is not waited for any longer: it is no writer of
  /// this package.
  private static let lockPatience = Duration.milliseconds(200)

  /// Calls a closure under an advisory lock on the folder, so that names in it are checked and
  /// changed in one step.
  ///
  /// A file can have two lock holders after its lock file was removed. Nobody removes the folder
  /// that way, so one of them then sees what the other has done.
  ///
  /// - Parameter body: Called with whether the folder is locked. It is not on most network file
  ///   systems, and while another program keeps it locked.
  func withLock<Result>(
    _ body: (_ isLocked: Bool) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    // A descriptor of its own: threads that share one would share the lock.
    let own = try? OpenLockFile.open { _ throws(FileSystemError) in
      try Descriptor.open(".", in: descriptor, flags: O_RDONLY | O_DIRECTORY)
    }
    guard let own, Self.lock(own.descriptor) else { return try body(false) }
    // A child made without fork handlers may have the descriptor, too: closing alone would not
    // unlock.
    defer { flock(own.descriptor.number, LOCK_UN) }
    return try body(true)
  }

  private static func lock(_ descriptor: Descriptor) -> Bool {
    let deadline = ContinuousClock.now + lockPatience
    var pause = Duration.microseconds(50)
    while ForkGate.shared.allowingForks({ flock(descriptor.number, LOCK_EX | LOCK_NB) }) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < deadline else {
        return false
      }
      pause.sleep()
      pause = min(pause * 2, .milliseconds(1))
    }
    return true
  }
}
