internal import Glibc
internal import Threading

/// The advisory lock that must be held to change a file, by one thread of one process at a time. It
/// is a lock on an empty file beside the file itself, because each change replaces the file. The
/// kernel releases it when its holder exits; a forked child does not hold it. Waiters acquire it in
/// order of arrival (``TicketLock``), so no waiter starves.
struct FileLock: ~Copyable {
  private let folder: Folder
  private let name: String
  private let lock: TicketLock
  private let file: OpenLockFile
  /// What the file is locked for.
  enum Purpose {
    /// To replace it, which is possible only for a regular file.
    case replacement
    /// To move it aside, which is also possible for a folder, pipe or socket.
    case movingAside
  }

  /// The identity of the file when it was locked; nil if it did not exist or is not known.
  let fileIdentity: FileIdentity?

  /// Waits for the lock on a file.
  ///
  /// - Parameters:
  ///   - file: The name of the file, which need not exist. The lock file gets the owner of an
  ///     existing file, so that every user who may write the file may lock it.
  ///   - folder: The folder of the file.
  ///   - timeout: How long to wait.
  ///   - onLongWait: Called with the name of the lock file when another process has held the lock
  ///     for longer than a second.
  /// - Throws: ``FileSystemError/lockTimeout(waited:lockFile:)`` if the lock was not released in time.
  init(
    on file: String, in folder: Folder, for purpose: Purpose, timeout: Duration,
    onLongWait: (String) -> Void = { _ in }
  ) throws(FileSystemError) {
    self.folder = folder
    let name = Self.name(of: file)
    self.name = name
    let deadline = ContinuousClock.now + timeout
    repeat {
      let forks = Fork.made
      guard
        let (descriptor, isNew) =
          try Self.open(name, of: file, for: purpose, in: folder, until: deadline)
      else { continue }
      guard let open = OpenLockFile(descriptor, since: forks) else { continue }
      let lock = TicketLock(on: descriptor)
      guard try lock.acquire(until: deadline, onLongWait: { onLongWait(name) }) else {
        throw .lockTimeout(waited: timeout, lockFile: name)
      }
      let held = try descriptor.information()
      // The previous holder may have removed the lock file.
      if try Self.isCurrent(held, named: name, in: folder) {
        fileIdentity = isNew ? nil : try FileLocation.name(file, in: folder).identity()
        if let fileIdentity { Self.copyAccess(of: fileIdentity, to: descriptor, held) }
        self.lock = lock
        self.file = open
        return
      }
      lock.release()
    } while ContinuousClock.now < deadline
    throw .lockTimeout(waited: timeout, lockFile: name)
  }

  /// Returns whether the lock file is still in its place, so that no other process can hold the lock.
  func isCurrent() throws(FileSystemError) -> Bool {
    try Self.isCurrent(descriptor.information(), named: name, in: folder)
  }

  var descriptor: Descriptor { file.descriptor }

  /// Whether the process is a forked child of the one that acquired the lock, and so does not hold
  /// it.
  var isLost: Bool { file.isLost }

  /// Releases the lock.
  ///
  /// - Parameter keepingFile: Whether to leave the lock file in place for the next time; otherwise
  ///   it is removed, unless others wait for the lock. The last of them then removes it.
  consuming func release(keepingFile: Bool) {
    if isLost { return }
    if !keepingFile { removeFile() }
    // A child made without fork handlers may also have the descriptor: closing alone would not
    // unlock.
    lock.release()
  }

  /// Removes the lock file while the lock is held, unless it is needed. A process that has just
  /// opened it gets a lock that is no longer current, and tries again. A lock file that another
  /// program has put in its place is left alone.
  private borrowing func removeFile() {
    do throws(FileSystemError) {
      if try !lock.hasWaiters(), try isCurrent() { try folder.remove(name) }
    } catch {
      // A leftover lock file is harmless.
    }
  }

  /// Returns the name of the lock file: `.file.lock` for `file`, or a hash of it if that is too
  /// long.
  static func name(of file: String) -> String { FileName.make(".", file, ".lock") }

  /// Opens or creates the lock file; nil if another process created or removed it in between.
  private static func open(
    _ name: String, of file: String, for purpose: Purpose, in folder: Folder,
    until deadline: ContinuousClock.Instant
  ) throws(FileSystemError) -> (Descriptor, isNew: Bool)? {
    do throws(FileSystemError) {
      if let descriptor = try openExisting(name, in: folder) { return (descriptor, false) }
    } catch {
      guard error.code == EACCES, folder.mayWrite(file) else {
        throw error.during(.openLockFile(name))
      }
      try replaceClosed(name, of: file, in: folder, until: deadline)
      return nil
    }
    do throws(FileSystemError) {
      return try create(name, of: file, for: purpose, in: folder).map { ($0, true) }
    } catch {
      if case .failed(.replaceSpecialFile, _) = error { throw error }
      throw error.during(.createTemporaryFile)
    }
  }

  /// Opens a lock file; nil if there is none.
  private static func openExisting(
    _ name: String, in folder: Folder
  ) throws(FileSystemError) -> Descriptor? {
    do throws(FileSystemError) {
      return try folder.open(name, flags: O_RDWR)
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  /// Creates a lock file; nil if another process has done so.
  private static func create(
    _ name: String, of file: String, for purpose: Purpose, in folder: Folder
  ) throws(FileSystemError) -> Descriptor? {
    do throws(FileSystemError) {
      let existing = try folder.information(on: file).map { FileIdentity($0) }
      // No lock file is created beside a device.
      if let existing { try check(existing.mode, for: purpose) }
      let descriptor = try folder.open(name, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
      if let existing {
        copyAccess(of: existing, to: descriptor, try descriptor.information())
      } else {
        FileOwner.assignFolderOwner(to: descriptor, in: folder)
      }
      return descriptor
    } catch {
      guard error.code == EEXIST else { throw error }
      return nil
    }
  }

  private static func check(_ mode: mode_t, for purpose: Purpose) throws(FileSystemError) {
    switch (purpose, mode & S_IFMT) {
    case (.replacement, _), (.movingAside, S_IFCHR), (.movingAside, S_IFBLK):
      try AtomicFile.checkRegular(mode, for: .replaceSpecialFile)
    case (.movingAside, _): break
    }
  }

  /// Replaces a lock file that this process may not open, although it may write the file itself:
  /// access to the file was extended after the lock file had been created. One process at a time
  /// does so, under the lock of the new file. If another process still holds the old lock, both
  /// notice by the state of the file before they replace it.
  private static func replaceClosed(
    _ name: String, of file: String, in folder: Folder, until deadline: ContinuousClock.Instant
  ) throws(FileSystemError) {
    let newName = FileName.make(".", file, ".lock-new")
    do throws(FileSystemError) {
      var opened = try openExisting(newName, in: folder)
      if opened == nil { opened = try create(newName, of: file, for: .replacement, in: folder) }
      guard let descriptor = opened else { return }
      let lock = TicketLock(on: descriptor)
      guard try lock.acquire(until: deadline) else { return }
      defer { lock.release() }
      // Another process may already have put the new file, or its own, in place.
      guard try isCurrent(try descriptor.information(), named: newName, in: folder) else { return }
      if try isClosed(name, in: folder) {
        try folder.rename(newName, to: name)
      } else {
        try folder.remove(newName)
      }
    } catch {
      throw error.during(.openLockFile(name))
    }
  }

  /// Returns whether a lock file exists that this process may not open.
  private static func isClosed(_ name: String, in folder: Folder) throws(FileSystemError) -> Bool {
    do throws(FileSystemError) {
      _ = try openExisting(name, in: folder)
      return false
    } catch {
      guard error.code == EACCES else { throw error }
      return true
    }
  }

  /// Lets every user who may write the file lock it, as far as the process may grant that.
  private static func copyAccess(of file: FileIdentity, to descriptor: Descriptor, _ present: stat)
  {
    var owner = FileIdentity(present).owner
    if owner != file.owner { owner = (try? file.owner.assign(to: descriptor)) ?? owner }
    // Readers of the file get no access, because they could block its writers. Neither does another
    // group.
    let writers = file.mode & (owner.group == file.owner.group ? 0o222 : 0o202)
    let mode = writers | writers << 1 | 0o600
    if mode != present.st_mode & 0o7777 { _ = fchmod(descriptor.number, mode) }
  }

  /// Returns whether the folder still has the locked file under its name.
  private static func isCurrent(
    _ held: stat, named name: String, in folder: Folder
  ) throws(FileSystemError) -> Bool {
    guard let named = try folder.information(on: name) else { return false }
    return FileIdentity(held).isSameFile(as: FileIdentity(named))
  }
}
