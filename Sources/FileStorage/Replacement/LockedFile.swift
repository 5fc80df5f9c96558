internal import Glibc

/// A file whose lock this process holds until the value is released. Reading the file, computing
/// its new contents and replacing it are then one step for all writers that take the lock. Programs
/// that do not take it can still change the file; ``holdsExpectedVersion()`` notices that.
package struct LockedFile: ~Copyable {
  let file: AtomicFile
  private var lock: FileLock
  private let keepsLockFile: Bool
  /// The identity of the file when it was locked, if that is known and has not been used.
  private var firstLook: FileIdentity?
  /// Whether the file is known to exist, because it has just been replaced.
  var isReplaced = false
  var replacement: Replacement?
  /// The owners of the file before and after its replacement, if the process could not give the new
  /// file to the old owner; nil if the owner has not changed.
  package internal(set) var ownerChange: (old: FileOwner, new: FileOwner)?

  var folder: Folder { file.folder }
  var name: String { file.name }
  /// Whether the process is a forked child of the process that acquired the lock, and so does not
  /// hold it.
  package var isLost: Bool { lock.isLost }

  /// The number of attempts at replacing a file that other programs keep changing.
  package static let attempts = AtomicFile.attempts
  /// The error after the last attempt.
  package static let keepsChanging = FileSystemError(.replaceChangingFile, code: EAGAIN)
  /// The error of a forked child that continues its parent's work under a lock.
  package static let lostByFork = FileSystemError(.keepLockInChild, code: EPERM)

  fileprivate init(
    _ file: AtomicFile, for purpose: FileLock.Purpose, timeout: Duration, keepsLockFile: Bool,
    onLongWait: (String) -> Void = { _ in }
  ) throws(FileSystemError) {
    guard !file.isDescriptor else { throw FileSystemError(.replaceDescriptor, code: EINVAL) }
    lock = try FileLock(
      on: file.name, in: file.folder, for: purpose, timeout: timeout, onLongWait: onLongWait)
    self.file = file
    firstLook = lock.fileIdentity
    self.keepsLockFile = keepsLockFile
  }

  deinit {
    let keepsLockFile = keepsLockFile && (isReplaced || mayExist)
    lock.release(keepingFile: keepsLockFile)
  }

  /// Whether the file exists, as far as the system can determine.
  private var mayExist: Bool {
    do throws(FileSystemError) { return try folder.information(on: name) != nil } catch {
      return true
    }
  }

  /// Takes the lock again if its lock file was removed, because another writer may then also hold
  /// the lock.
  package mutating func renewLock(timeout: Duration) throws(FileSystemError) {
    guard try !lock.isCurrent() else { return }
    lock = try FileLock(on: name, in: folder, for: .replacement, timeout: timeout)
  }

  /// Reads the file, unless it still holds a known version. If its identity is racy,
  /// `comparesBytes` says whether to compare the bytes; ``holdsExpectedVersion()`` always does.
  package mutating func readIfChanged(
    since known: FileVersion?, limit: Int = .max - 1, comparesBytes: Bool = true
  ) throws(FileSystemError) -> ConditionalRead {
    let present = exchange(&firstLook, with: nil)
    return try file.location.readIfChanged(
      since: known, limit: limit, comparesBytes: comparesBytes, present: present)
  }

  func identity() throws(FileSystemError) -> FileIdentity? { try file.identity() }

  /// Flushes to disk what other programs have done to the file, including its removal.
  package func flushPresent() throws(FileSystemError) {
    let present: Descriptor
    do throws(FileSystemError) {
      present = try folder.open(name, flags: O_RDONLY | O_NONBLOCK)
    } catch {
      guard error.isMissing else { throw error }
      return try folder.synchronize(with: lock.descriptor)
    }
    try present.synchronize()
    try folder.synchronize(with: present)
  }

  /// Renames the file within its folder.
  ///
  /// - Parameter suffix: Appended to the name, followed by a number if such a file exists.
  /// - Returns: The new path; nil if there is no file.
  package mutating func moveAside(suffix: String) throws(FileSystemError) -> String? {
    guard try folder.information(on: name) != nil else { return nil }
    var number = 1
    while true {
      let newName = FileName.make("", name, suffix + (number == 1 ? "" : "-\(number)"))
      if try folder.information(on: newName) == nil {
        try folder.rename(name, to: newName)
        isReplaced = false
        try folder.synchronize(with: lock.descriptor)
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
  ///   - keepsLockFile: Whether the lock file stays beside the file as long as that exists, which
  ///     saves the next change the time to create it.
  ///   - onLongWait: Called with the name of the lock file when another process has held the lock
  ///     for longer than a second.
  /// - Throws: ``FileSystemError/lockTimeout(waited:lockFile:)``, or why the lock cannot be acquired.
  package func lock(
    timeout: Duration = .seconds(10), keepsLockFile: Bool = false,
    onLongWait: (String) -> Void = { _ in }
  ) throws(FileSystemError) -> LockedFile {
    try LockedFile(
      self, for: .replacement, timeout: timeout, keepsLockFile: keepsLockFile,
      onLongWait: onLongWait)
  }

  /// Waits for the lock of the file, which may be of any kind except a device, to move it aside.
  package func lockToMoveAside(timeout: Duration) throws(FileSystemError) -> LockedFile {
    try LockedFile(self, for: .movingAside, timeout: timeout, keepsLockFile: true)
  }
}
