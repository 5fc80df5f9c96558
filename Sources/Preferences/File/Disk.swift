internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PropertyList
internal import Threading

/// The file system as domains use it, with a clock and a way to wait.
///
/// Each function is one step: what other processes do happens before or after it. A simulation of
/// many processes replaces the ``SystemDisk``, and decides which process takes the next step.
protocol Disk: Sendable {
  var now: ContinuousClock.Instant { get }

  func sleep(for duration: Duration)

  /// The identity of a file; nil if it does not exist.
  func identity(of path: String) throws(PreferencesError) -> FileIdentity?

  /// Reads a file unless it still holds a known version.
  func read(
    _ path: String, since known: FileVersion?
  ) throws(PreferencesError) -> ConditionalRead

  /// Creates the folder of a file for the user alone.
  func createFolder(of path: String) throws(PreferencesError)

  /// Waits for the lock of a file in an existing folder.
  ///
  /// - Parameters:
  ///   - keepsLockFile: Whether the lock file stays beside the file for the next commit.
  ///   - onLongWait: Called with the name of the lock file if another process holds the lock for
  ///     longer than a second.
  func lock(
    _ path: String, within limit: TimeLimit, keepsLockFile: Bool, onLongWait: (String) -> Void
  ) throws(PreferencesError) -> any LockedDomainFile

  /// Waits for the lock of a file of any kind except a device, to move it aside.
  func lockToMoveAside(
    _ path: String, within limit: TimeLimit
  ) throws(PreferencesError) -> any LockedDomainFile

  /// Calls a closure after changes of a file.
  ///
  /// - Parameters:
  ///   - watcher: The engine's watcher.
  ///   - polling: Called if the file must be polled.
  func watch(
    _ path: String, with watcher: FileWatcher, _ handler: @escaping @Sendable () -> Void,
    polling: @escaping @Sendable (_ lacksWatches: Bool) -> Void
  ) -> any DomainFileWatch
}

/// A watch on a file, which ends when it is released.
protocol DomainFileWatch: AnyObject, Sendable {
  /// Schedules one more call of the handler, whether or not the file changes.
  func scheduleCall(after delay: Duration)

  /// Sets the state with which the next poll of the file is compared: the state that the process
  /// has read or saved, nil for a missing file. The file may have changed since, back to the state
  /// that the last poll found.
  func noteIdentity(_ identity: FileIdentity?)
}

/// A locked file. Each function is one step. Releasing the object unlocks the file.
protocol LockedDomainFile: AnyObject {
  /// Whether the process is a forked child of the process that locked the file, and so has lost the
  /// lock.
  var isLost: Bool { get }
  /// The owners before and after a replacement that could not keep the owner.
  var ownerChange: (old: FileOwner, new: FileOwner)? { get }

  /// Takes the lock again if the lock file was removed: another process may also hold the lock.
  func renewLock(within limit: TimeLimit) throws(PreferencesError)

  /// Reads the file unless it still holds a known version.
  ///
  /// - Parameter comparesBytes: Whether the bytes are compared if the timestamps of that version are
  ///   racy.
  func read(
    since known: FileVersion?, comparesBytes: Bool
  ) throws(PreferencesError) -> ConditionalRead

  /// Writes the new contents to a temporary file with the attributes of the expected version.
  func writeTemporary(
    _ data: Data, inPlaceOf expected: FileVersion?
  ) throws(PreferencesError)

  func flushTemporary() throws(PreferencesError)

  /// Locks the folder if the file still holds the expected version, nil for none. Otherwise removes
  /// the temporary file and returns false.
  func holdsExpectedVersion() throws(PreferencesError) -> Bool

  /// Renames the temporary file over the file and unlocks the folder.
  ///
  /// - Returns: The new version; nil if another program has replaced the temporary file.
  func putTemporaryInPlace() throws(PreferencesError) -> FileVersion?

  /// Flushes the folder, so that the new contents survive a crash.
  func flushFolder() throws(PreferencesError)

  /// Flushes other programs' changes of the file, including its removal.
  func flushPresent() throws(PreferencesError)

  /// Renames the file within its folder, appending a suffix and if necessary a number.
  ///
  /// - Returns: The new path; nil if there is no file.
  func moveAside(suffix: String) throws(PreferencesError) -> String?

  func unlock()
}

extension LockedDomainFile {
  /// Replaces the file durably if it still holds an expected version, nil for none.
  ///
  /// - Returns: The new version; nil if another program was faster.
  func replace(
    _ expected: FileVersion?, with data: Data
  ) throws(PreferencesError) -> FileVersion? {
    try writeTemporary(data, inPlaceOf: expected)
    try flushTemporary()
    guard try holdsExpectedVersion(), let version = try putTemporaryInPlace() else { return nil }
    try flushFolder()
    return version
  }
}

// MARK: - The system's

struct SystemDisk: Disk {
  /// The largest size of a file that is read.
  fileprivate static let sizeLimit = PlistLimits().maximumSize

  var now: ContinuousClock.Instant { .now }

  func sleep(for duration: Duration) { duration.sleep() }

  func identity(of path: String) throws(PreferencesError) -> FileIdentity? {
    try PreferencesError.wrapping(path) { () throws(FileSystemError) in
      try AtomicFile.identity(of: path)
    }
  }

  func read(
    _ path: String, since known: FileVersion?
  ) throws(PreferencesError) -> ConditionalRead {
    try PreferencesError.wrapping(path) { () throws(FileSystemError) in
      try AtomicFile.readIfChanged(path, since: known, limit: SystemDisk.sizeLimit)
    }
  }

  func createFolder(of path: String) throws(PreferencesError) {
    try PreferencesError.wrapping(path) { () throws(FileSystemError) in
      try AtomicFile.createFolder(of: path)
    }
  }

  func lock(
    _ path: String, within limit: TimeLimit, keepsLockFile: Bool, onLongWait: (String) -> Void
  ) throws(PreferencesError) -> any LockedDomainFile {
    try lock(path, within: limit) { timeout throws(FileSystemError) in
      try AtomicFile(path)
        .lock(timeout: timeout, keepsLockFile: keepsLockFile, onLongWait: onLongWait)
    }
  }

  func lockToMoveAside(
    _ path: String, within limit: TimeLimit
  ) throws(PreferencesError) -> any LockedDomainFile {
    try lock(path, within: limit) { timeout throws(FileSystemError) in
      do throws(FileSystemError) {
        return try AtomicFile(path).lockToMoveAside(timeout: timeout)
      } catch {
        // If links form a loop, the first one is moved.
        guard error.code == ELOOP else { throw error }
        return try AtomicFile(path, followingLinks: false).lockToMoveAside(timeout: timeout)
      }
    }
  }

  private func lock(
    _ path: String, within limit: TimeLimit,
    _ body: (_ timeout: Duration) throws(FileSystemError) -> LockedFile
  ) throws(PreferencesError) -> any LockedDomainFile {
    do throws(FileSystemError) {
      return LockedSystemFile(try body(limit.rest(at: now)), path: path)
    } catch .lockTimeout(_, let lockFile) {
      // The wait for the turn is included.
      throw .lockTimeout(path: path, waited: limit.duration, lockFile: lockFile)
    } catch {
      throw PreferencesError(error, path: path)
    }
  }

  func watch(
    _ path: String, with watcher: FileWatcher, _ handler: @escaping @Sendable () -> Void,
    polling: @escaping @Sendable (_ lacksWatches: Bool) -> Void
  ) -> any DomainFileWatch {
    watcher.watch(path, handler, polling: polling)
  }
}

extension WatchedFile: DomainFileWatch {}

private final class LockedSystemFile: LockedDomainFile {
  /// Nil once it is unlocked.
  private var file: LockedFile?
  private let path: String

  init(_ file: consuming LockedFile, path: String) {
    self.file = consume file
    self.path = path
  }

  /// Takes a step, and adds the file to its error.
  private func step<Result>(
    _ body: (inout LockedFile) throws(FileSystemError) -> Result
  ) throws(PreferencesError) -> Result {
    do throws(FileSystemError) { return try body(&file!) } catch {
      throw PreferencesError(error, path: path)
    }
  }

  private func access<Result>(_ body: (inout LockedFile) -> Result) -> Result { body(&file!) }

  var isLost: Bool { access { $0.isLost } }

  var ownerChange: (old: FileOwner, new: FileOwner)? { access { $0.ownerChange } }

  func renewLock(within limit: TimeLimit) throws(PreferencesError) {
    try step { file throws(FileSystemError) in try file.renewLock(timeout: limit.rest(at: .now)) }
  }

  func read(
    since known: FileVersion?, comparesBytes: Bool
  ) throws(PreferencesError) -> ConditionalRead {
    try step { file throws(FileSystemError) in
      try file.readIfChanged(
        since: known, limit: SystemDisk.sizeLimit, comparesBytes: comparesBytes)
    }
  }

  func writeTemporary(
    _ data: Data, inPlaceOf expected: FileVersion?
  ) throws(PreferencesError) {
    try step { file throws(FileSystemError) in
      try file.writeTemporary(data, inPlaceOf: expected, isPrivate: true)
    }
  }

  func flushTemporary() throws(PreferencesError) {
    try step { file throws(FileSystemError) in try file.flushTemporary() }
  }

  func holdsExpectedVersion() throws(PreferencesError) -> Bool {
    try step { file throws(FileSystemError) in try file.holdsExpectedVersion() }
  }

  func putTemporaryInPlace() throws(PreferencesError) -> FileVersion? {
    try step { file throws(FileSystemError) in try file.putTemporaryInPlace() }
  }

  func flushFolder() throws(PreferencesError) {
    try step { file throws(FileSystemError) in try file.flushFolder() }
  }

  func flushPresent() throws(PreferencesError) {
    try step { file throws(FileSystemError) in try file.flushPresent() }
  }

  func moveAside(suffix: String) throws(PreferencesError) -> String? {
    try step { file throws(FileSystemError) in try file.moveAside(suffix: suffix) }
  }

  func unlock() { file = nil }
}
