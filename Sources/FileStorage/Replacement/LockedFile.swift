package import FoundationEssentials
internal import Glibc

/// A file whose lock this process holds until the value is released.
///
/// Reading the file, computing its new contents and replacing it are then one step for all writers
/// that take the lock. Programs that do not take it can still change the file;
/// ``replace(_:with:isPrivate:)`` notices that.
package struct LockedFile: ~Copyable {
  private let file: AtomicFile
  private let lock: FileLock
  private let keepsLockFile: Bool

  private var folder: Folder { file.folder }
  private var name: String { file.name }

  /// The number of attempts at replacing a file that other programs keep changing.
  package static let attempts = AtomicFile.attempts
  /// The error after the last attempt.
  package static let keepsChanging = FileSystemError(.replaceChangingFile, code: EAGAIN)

  fileprivate init(
    _ file: AtomicFile, timeout: Duration, keepsLockFile: Bool
  ) throws(FileSystemError) {
    lock = try FileLock(on: file.name, in: file.folder, timeout: timeout)
    self.file = file
    self.keepsLockFile = keepsLockFile
  }

  deinit {
    lock.release(keepingFile: keepsLockFile)
  }

  /// Reads the file, unless it still holds a known version.
  ///
  /// - Parameter limit: The maximum number of bytes.
  package func readIfChanged(
    since known: FileVersion?, limit: Int = .max - 1
  ) throws(FileSystemError) -> ConditionalRead {
    try file.readIfChanged(since: known, limit: limit)
  }

  /// Returns the identity of the file; nil if it does not exist.
  func identity() throws(FileSystemError) -> FileIdentity? { try file.identity() }

  /// Flushes the present contents to the disk: the program that wrote them may not have done so.
  package func synchronize() throws(FileSystemError) {
    try folder.open(name, flags: O_RDONLY | O_NONBLOCK).synchronize()
    try folder.synchronize()
  }

  /// Replaces the file if it is still in an expected state, nil for none.
  ///
  /// The new contents are written to a temporary file beside the old one, with the owner,
  /// permissions, access control list and extended attributes of the latter, flushed to the disk,
  /// and renamed over it; then the folder is flushed. When this returns a version, the contents
  /// survive a crash. When it throws, the file is unchanged, except that if the very last step
  /// fails, the new contents are in place but may not survive a crash.
  ///
  /// - Parameter isPrivate: Whether only its owner may access a newly created file; otherwise the
  ///   umask of the process applies.
  /// - Returns: The new version; nil if the file was in another state.
  package func replace(
    _ expected: FileIdentity?, with data: Data, isPrivate: Bool
  ) throws(FileSystemError) -> FileVersion? {
    let existing = try folder.information(on: name)
    guard existing.map({ FileIdentity($0) }) == expected else { return nil }
    if let existing { try AtomicFile.checkRegular(existing, for: .replaceSpecialFile) }

    let temporaryName = FileName.make(".", name, ".new")
    let new = try createTemporaryFile(
      temporaryName, mode: existing == nil && !isPrivate ? 0o666 : 0o600)
    do throws(FileSystemError) {
      if let existing {
        try FileAttributes.copy(from: name, existing, to: new, in: folder)
      }
      try new.writeAll(data)
      try new.synchronize()
      guard try identity() == expected else {
        try folder.remove(temporaryName)
        return nil
      }
      // If the lock file was removed, the lock can have two holders.
      let named = try folder.information(on: temporaryName).map { FileIdentity($0) }
      guard try named?.isSameFile(as: FileIdentity(new.information())) == true else {
        throw FileSystemError(.replace, code: ESTALE)
      }
      try folder.rename(temporaryName, to: name)
    } catch {
      try? folder.remove(temporaryName)
      throw error
    }
    try folder.synchronize()
    let clock = FileIdentity.clock()
    let identity = FileIdentity(try new.information(), clock: clock)
    return FileContents(data: data, identity: identity).version
  }

  /// Creates the file that is to replace this one.
  private func createTemporaryFile(
    _ temporaryName: String, mode: mode_t
  ) throws(FileSystemError) -> Descriptor {
    do throws(FileSystemError) {
      // Only the holder of the lock uses the name: an existing file was left by a process that
      // crashed.
      try folder.remove(temporaryName)
      return try folder.open(temporaryName, flags: O_RDWR | O_CREAT | O_EXCL, mode: mode)
    } catch {
      throw error.during(.createTemporaryFile)
    }
  }

  /// Renames the file within its folder.
  ///
  /// - Parameter suffix: What to append to the name, followed by a number if such a file exists.
  /// - Returns: The new path; nil if there is no file.
  package func moveAside(suffix: String) throws(FileSystemError) -> String? {
    guard try folder.information(on: name) != nil else { return nil }
    var number = 1
    while true {
      let newName = FileName.make("", name, suffix + (number == 1 ? "" : "-\(number)"))
      if try folder.information(on: newName) == nil {
        try folder.rename(name, to: newName)
        try folder.synchronize()
        return file.sibling(newName)
      }
      number += 1
    }
  }
}

extension AtomicFile {
  /// Waits for the lock of the file.
  ///
  /// - Parameters:
  ///   - timeout: The longest time to wait.
  ///   - keepsLockFile: Whether the lock file stays beside the file; otherwise it is removed if
  ///     this lock created it.
  /// - Throws: ``FileSystemError/lockTimeout(waited:)``, or why the lock cannot be acquired.
  package func lock(
    timeout: Duration = .seconds(10), keepsLockFile: Bool = false
  ) throws(FileSystemError) -> LockedFile {
    try LockedFile(self, timeout: timeout, keepsLockFile: keepsLockFile)
  }
}
