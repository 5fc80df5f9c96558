internal import Glibc

/// The lock under which a file is changed, held by one process, and one thread of it, at a time.
///
/// It is a lock on an empty file beside the file itself, since the latter is another file after each
/// change. The kernel releases it when its holder ends, however it ends. Who waits for it gets it in the
/// order of arrival (``TicketLock``), so that nobody is left waiting while others take it again and again.
struct FileLock: ~Copyable {
  private let folder: Folder
  private let name: String
  private let lock: TicketLock
  /// Whether the lock's file was made for this lock.
  private let isNew: Bool

  /// Waits for the lock on the file of a name.
  ///
  /// - Parameters:
  ///   - existing: The file, nil where there is none. If the lock's file has to be made, it gets the
  ///     same owner, and whoever may write the one may lock the other.
  ///   - timeout: How long to wait.
  /// - Throws: ``FileSystemError/lockTimeout(waited:)`` when the lock was not released in time.
  init(
    on file: String, in folder: Folder, like existing: stat?, timeout: Duration
  ) throws(FileSystemError) {
    self.folder = folder
    name = Self.name(of: file)
    let deadline = ContinuousClock.now + timeout
    repeat {
      guard let (descriptor, isNew) = try Self.open(name, in: folder, like: existing) else {
        continue
      }
      let lock = TicketLock(of: descriptor)
      guard try lock.acquire(until: deadline) else { throw .lockTimeout(waited: timeout) }
      // Its holder may have removed the file while this one waited for it.
      if try Self.isCurrent(descriptor, named: name, in: folder) {
        self.lock = lock
        self.isNew = isNew
        return
      }
      lock.release()
    } while ContinuousClock.now < deadline
    throw .lockTimeout(waited: timeout)
  }

  /// Releases the lock.
  ///
  /// - Parameter keepingFile: Whether the lock's file stays; otherwise it is removed where this lock
  ///   had made it.
  consuming func release(keepingFile: Bool) {
    if isNew && !keepingFile { try? folder.remove(name) }
    // A child of this process may have the descriptor, too: closing alone would not unlock.
    lock.release()
  }

  /// The name of the lock's file: that of the file with a dot and `.lock` around, or, where that would
  /// be too long for a name, a hash of it.
  static func name(of file: String) -> String {
    FileName.make(".", file, ".lock")
  }

  private static func open(
    _ name: String, in folder: Folder, like existing: stat?
  ) throws(FileSystemError) -> (Descriptor, isNew: Bool)? {
    do throws(FileSystemError) {
      let descriptor = try folder.open(name, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
      if let existing {
        // Where that is not allowed, the lock is for its maker alone.
        if existing.st_uid != getuid() || existing.st_gid != getgid() {
          _ = fchown(descriptor.number, existing.st_uid, existing.st_gid)
        }
        // Who may only read the file shall not be able to keep others from writing it.
        let writers = existing.st_mode & 0o222
        _ = fchmod(descriptor.number, writers | writers << 1 | 0o600)
      }
      return (descriptor, true)
    } catch {
      guard error.code == EEXIST else { throw error.during(.lock) }
    }
    do throws(FileSystemError) {
      return (try folder.open(name, flags: O_RDWR), false)
    } catch {
      guard error.code == ENOENT else { throw error.during(.lock) }
      return nil
    }
  }

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
