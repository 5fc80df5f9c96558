package import FoundationEssentials

/// A file whose lock this process holds until the value is released.
///
/// Reading it, encoding what it shall hold and replacing it are then one step for all writers that take the lock.
/// Programs that do not take it may still change the file; ``replace(_:with:isPrivate:)`` notices that.
package struct LockedFile: ~Copyable {
  private let file: AtomicFile
  private let lock: FileLock
  private let keepsLockFile: Bool

  /// The number of attempts at replacing a file that other programs keep changing.
  package static let attempts = AtomicFile.attempts
  /// The error once they are used up.
  package static let keepsChanging = AtomicFile.keepsChanging

  fileprivate init(_ file: AtomicFile, _ lock: consuming FileLock, keepsLockFile: Bool) {
    self.file = file
    self.lock = lock
    self.keepsLockFile = keepsLockFile
  }

  deinit {
    lock.release(keepingFile: keepsLockFile)
  }

  /// Reads the file, unless it still holds a known version.
  package func readIfChanged(
    since known: FileVersion?, limit: Int = .max - 1
  ) throws(FileSystemError) -> ConditionalRead {
    try file.readIfChanged(since: known, limit: limit)
  }

  /// Waits until the file is on disk as it is: its writer may not have, or may have been killed before.
  package func synchronize() throws(FileSystemError) {
    try file.synchronize()
  }

  /// Replaces the file, durably, if it still has an expected identity; nil for none.
  ///
  /// - Parameter isPrivate: Whether a file that is created is for its owner alone; otherwise the process's umask
  ///   decides.
  /// - Returns: The new version; nil if the file has been changed.
  package func replace(
    _ expected: FileIdentity?, with data: Data, isPrivate: Bool
  ) throws(FileSystemError) -> FileVersion? {
    try file.replace(expected, with: data, isPrivate: isPrivate).map { identity in
      FileContents(data: data, identity: identity).version
    }
  }
}

extension AtomicFile {
  /// Waits for the lock of the file.
  ///
  /// - Parameters:
  ///   - timeout: The longest time to wait.
  ///   - keepsLockFile: Whether the lock file stays beside the file; otherwise it is removed if this lock created it.
  /// - Throws: ``FileSystemError/lockTimeout(waited:)``, or why the lock cannot be had.
  package func lock(
    timeout: Duration, keepsLockFile: Bool
  ) throws(FileSystemError) -> LockedFile {
    LockedFile(self, try lock(timeout: timeout), keepsLockFile: keepsLockFile)
  }
}
