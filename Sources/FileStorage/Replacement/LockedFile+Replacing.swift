package import FoundationEssentials
internal import Glibc

extension LockedFile {
  /// Replaces the file if it still holds an expected version, nil for none.
  ///
  /// The new contents are written to a temporary file beside the old one, flushed to the disk, and
  /// renamed over it; then the folder is flushed. When this returns a version, the contents survive
  /// a crash. When it throws, the file is unchanged, except that if the very last step fails, the
  /// new contents are in place but may not survive a crash.
  ///
  /// The steps can also be taken one by one, in the order they are called here.
  ///
  /// - Returns: The new version; nil if the file held another version, or another writer has
  ///   replaced the new contents with its own.
  package mutating func replace(
    _ expected: FileVersion?, with data: Data, isPrivate: Bool, permissions: UInt32? = nil
  ) throws(FileSystemError) -> FileVersion? {
    try writeTemporary(data, inPlaceOf: expected, isPrivate: isPrivate, permissions: permissions)
    try flushTemporary()
    guard try holdsExpectedVersion(), let version = try putTemporaryInPlace() else { return nil }
    try flushFolder()
    return version
  }

  /// New contents that are about to replace the file.
  struct Replacement {
    let expected: FileVersion?
    let data: Data
    let temporary: TemporaryFile
    let folderLock: FolderLock
    /// The owner of the temporary file if it replaces another file.
    var owner: FileOwner?
    var isFolderLocked = false

    mutating func unlockFolder() {
      if exchange(&isFolderLocked, with: false) { folderLock.unlock() }
    }
  }

  /// Takes a step of the replacement. A failure ends the replacement.
  private mutating func step<Result>(
    _ body: (inout Replacement) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    guard var new = exchange(&replacement, with: nil) else {
      preconditionFailure("the steps of a replacement are taken out of order")
    }
    do throws(FileSystemError) {
      let result = try body(&new)
      replacement = new
      return result
    } catch {
      try? new.temporary.remove()
      new.unlockFolder()
      throw error
    }
  }

  /// Writes new contents to a temporary file beside this one, with the owner, permissions, access
  /// control list and extended attributes of this one, as far as the process may set the owner
  /// (``ownerChange``). If this or a later step throws, the temporary file is removed.
  ///
  /// - Parameters:
  ///   - expected: The version to replace; nil for none.
  ///   - isPrivate: Whether only its owner may access a newly created file; otherwise the umask of
  ///     the process applies. If root creates it, its owner is the folder's.
  ///   - permissions: The permissions of a newly created file, whatever the umask; nil to decide by
  ///     `isPrivate`.
  package mutating func writeTemporary(
    _ data: Data, inPlaceOf expected: FileVersion?, isPrivate: Bool, permissions: UInt32? = nil
  ) throws(FileSystemError) {
    guard !isLost else { throw Self.lostByFork }
    let existing = expected?.identity
    if let existing { try AtomicFile.checkRegular(existing.mode, for: .replaceSpecialFile) }
    let (name, folder) = (name, folder)
    let folderLock = FolderLock(folder)
    let temporary = try TemporaryFile(
      replacing: name, in: folder, mode: existing == nil && !isPrivate ? 0o666 : 0o600,
      lock: folderLock)
    replacement = Replacement(
      expected: expected, data: data, temporary: temporary, folderLock: folderLock)
    try step { new throws(FileSystemError) in
      if let existing {
        new.owner = try FileAttributes.copy(from: name, existing, to: temporary, in: folder)
      } else if isPrivate {
        FileOwner.assignFolderOwner(to: temporary.descriptor, in: folder)
      }
      try temporary.descriptor.writeAll(data)
      if existing == nil, let permissions, fchmod(temporary.descriptor.number, permissions) != 0 {
        throw FileSystemError(.copyPermissions)
      }
    }
  }

  /// Flushes the temporary file to the disk.
  package mutating func flushTemporary() throws(FileSystemError) {
    try step { new throws(FileSystemError) in
      try new.temporary.descriptor.synchronize()
      try new.temporary.descriptor.flushAsOnClose()
    }
  }

  /// Locks the folder, and returns whether this file still holds the expected version and the
  /// temporary file is in its place. Otherwise the replacement ends. If the lock file was removed,
  /// the lock can have two holders; both holders lock the folder, one after the other.
  package mutating func holdsExpectedVersion() throws(FileSystemError) -> Bool {
    let location = file.location
    let isHeld = try step { new throws(FileSystemError) in
      new.isFolderLocked = new.folderLock.lock()
      guard try location.holds(new.expected) else {
        try new.temporary.remove()
        return false
      }
      return try new.temporary.isNamed(size: new.data.count)
    }
    if !isHeld {
      replacement?.unlockFolder()
      replacement = nil
    }
    return isHeld
  }

  /// Renames the temporary file over this one, and unlocks the folder.
  ///
  /// - Returns: The new version; nil if another writer has replaced the new contents with its own.
  package mutating func putTemporaryInPlace() throws(FileSystemError) -> FileVersion? {
    let name = name
    let (written, new) = try step { new throws(FileSystemError) in
      (try new.temporary.rename(to: name, size: new.data.count), new)
    }
    replacement?.unlockFolder()
    guard let written else {
      replacement = nil
      return nil
    }
    isReplaced = true
    if let old = new.expected?.identity.owner, let owner = new.owner, owner != old {
      ownerChange = (old, owner)
    }
    return FileContents(data: new.data, identity: written).version
  }

  /// Flushes the folder of the replaced file to the disk.
  package mutating func flushFolder() throws(FileSystemError) {
    let folder = folder
    try step { new throws(FileSystemError) in
      try folder.synchronize(with: new.temporary.descriptor)
    }
    replacement = nil
  }
}
