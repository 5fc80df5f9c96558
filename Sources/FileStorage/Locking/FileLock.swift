internal import Glibc

/// The advisory lock under which a file is changed, held by one thread of one process at a time.
///
/// It is a lock on an empty file beside the file itself, since each change replaces the latter. The
/// kernel releases it when its holder exits. Waiters acquire it in order of arrival
/// (``TicketLock``), so that none starves.
struct FileLock: ~Copyable {
  private let folder: Folder
  private let name: String
  private let descriptor: Descriptor
  private let lock: TicketLock
  /// Whether this lock created the lock file.
  private let isNew: Bool

  /// Waits for the lock on a file.
  ///
  /// - Parameters:
  ///   - file: The name of the file, which need not exist. A new lock file gets the owner of an
  ///     existing file, so that everyone who may write the file may lock it.
  ///   - folder: The folder of the file.
  ///   - timeout: How long to wait.
  /// - Throws: ``FileSystemError/lockTimeout(waited:)`` if the lock was not released in time.
  init(
    on file: String, in folder: Folder, timeout: Duration
  ) throws(FileSystemError) {
    self.folder = folder
    name = Self.name(of: file)
    let deadline = ContinuousClock.now + timeout
    repeat {
      guard let (descriptor, isNew) = try Self.open(name, of: file, in: folder) else {
        continue
      }
      let lock = TicketLock(on: descriptor)
      guard try lock.acquire(until: deadline) else { throw .lockTimeout(waited: timeout) }
      // The previous holder may have removed the lock file.
      if try Self.isCurrent(descriptor, named: name, in: folder) {
        self.descriptor = descriptor
        self.lock = lock
        self.isNew = isNew
        return
      }
      lock.release()
    } while ContinuousClock.now < deadline
    throw .lockTimeout(waited: timeout)
  }

  /// Returns whether the lock file is still in its place, so that nobody else can hold the lock.
  func isCurrent() throws(FileSystemError) -> Bool {
    try Self.isCurrent(descriptor, named: name, in: folder)
  }

  /// Releases the lock.
  ///
  /// - Parameter keepingFile: Whether to leave the lock file in place; otherwise it is removed if
  ///   this lock created it.
  consuming func release(keepingFile: Bool) {
    if isNew && !keepingFile { try? folder.remove(name) }
    // A child of this process may have the descriptor, too: closing alone would not unlock.
    lock.release()
  }

  /// Returns the name of the lock file: `.file.lock` for `file`, or a hash of it if that is too
  /// long.
  static func name(of file: String) -> String {
    FileName.make(".", file, ".lock")
  }

  /// Opens or creates the lock file; nil if another process created or removed it in between.
  private static func open(
    _ name: String, of file: String, in folder: Folder
  ) throws(FileSystemError) -> (Descriptor, isNew: Bool)? {
    do throws(FileSystemError) {
      return (try folder.open(name, flags: O_RDWR), false)
    } catch {
      guard error.code == ENOENT else { throw error.during(.lock) }
    }
    let existing: stat?
    do throws(FileSystemError) {
      existing = try folder.information(on: file)
    } catch {
      throw error.during(.lock)
    }
    // Nothing is put beside a device.
    if let existing { try AtomicFile.checkRegular(existing, for: .replaceSpecialFile) }
    do throws(FileSystemError) {
      let descriptor = try folder.open(name, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
      if let existing { copyAccess(of: existing, to: descriptor) }
      return (descriptor, true)
    } catch {
      guard error.code == EEXIST else { throw error.during(.lock) }
      return nil
    }
  }

  /// Lets everyone lock who may write the file, as far as the process may grant that.
  private static func copyAccess(of existing: stat, to descriptor: Descriptor) {
    if existing.st_uid != getuid() || existing.st_gid != getgid() {
      _ = fchown(descriptor.number, existing.st_uid, existing.st_gid)
    }
    // Readers of the file get no access: they could block its writers.
    let writers = existing.st_mode & 0o222
    _ = fchmod(descriptor.number, writers | writers << 1 | 0o600)
  }

  /// Returns whether the folder still has the locked file under its name.
  private static func isCurrent(
    _ descriptor: Descriptor, named name: String, in folder: Folder
  ) throws(FileSystemError) -> Bool {
    let held = FileIdentity(try descriptor.information())
    guard let named = try folder.information(on: name).map({ FileIdentity($0) }) else {
      return false
    }
    return held.isSameFile(as: named)
  }
}
