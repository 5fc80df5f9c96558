package import FoundationEssentials
internal import Glibc

extension LockedFile {
  /// Replaces the file if it still holds an expected version, nil for none.
  ///
  /// The new contents are written to a temporary file beside the old one, with the owner,
  /// permissions, access control list and extended attributes of the latter, as far as the process
  /// may set the owner (``ownerChange``), flushed to the disk, and renamed over it; then the folder
  /// is flushed. When this returns a version, the contents survive a crash. When it throws, the file
  /// is unchanged, except that if the very last step fails, the new contents are in place but may
  /// not survive a crash.
  ///
  /// - Parameters:
  ///   - isPrivate: Whether only its owner may access a newly created file, who is that of the folder
  ///     if root creates it; otherwise the umask of the process applies.
  ///   - permissions: The permissions of a newly created file, whatever the umask; nil for those that
  ///     `isPrivate` says.
  /// - Returns: The new version; nil if the file held another one, or another writer has put its own
  ///   contents in place of the new ones.
  package mutating func replace(
    _ expected: FileVersion?, with data: Data, isPrivate: Bool, permissions: UInt32? = nil
  ) throws(FileSystemError) -> FileVersion? {
    guard !isLost else { throw FileSystemError(.keepLockInChild, code: EPERM) }
    let existing = expected?.identity
    if let existing { try AtomicFile.checkRegular(existing.mode, for: .replaceSpecialFile) }

    let folderLock = FolderLock(folder)
    let new = try TemporaryFile(
      replacing: name, in: folder, mode: existing == nil && !isPrivate ? 0o666 : 0o600,
      lock: folderLock)
    let written: FileIdentity?
    var owner: FileOwner?
    do throws(FileSystemError) {
      if let existing {
        owner = try FileAttributes.copy(from: name, existing, to: new, in: folder)
      } else if isPrivate {
        FileOwner.assignFolderOwner(to: new.descriptor, in: folder)
      }
      try new.descriptor.writeAll(data)
      if existing == nil, let permissions,
        fchmod(new.descriptor.number, permissions) != 0
      {
        throw FileSystemError(.copyPermissions)
      }
      try new.descriptor.synchronize()
      try new.descriptor.flushAsOnClose()
      written = try put(new, ofSize: data.count, inPlaceOf: expected, folderLock)
    } catch {
      try? new.remove()
      throw error
    }
    guard let written else { return nil }
    isReplaced = true
    if let existing, let owner, owner != existing.owner { ownerChange = (existing.owner, owner) }
    try folder.synchronize(with: new.descriptor)
    return FileContents(data: data, identity: written).version
  }

  /// Renames a complete new file over this one if this one is still in the expected state.
  ///
  /// - Returns: The identity of the new file in its place; nil if another program, or another holder
  ///   of the lock, was faster, and the new file is removed.
  private func put(
    _ new: borrowing TemporaryFile, ofSize size: Int, inPlaceOf expected: FileVersion?,
    _ folderLock: FolderLock
  ) throws(FileSystemError) -> FileIdentity? {
    // If the lock file was removed, the lock can have two holders.
    try folderLock.withLock { _ throws(FileSystemError) in
      guard try file.location.holds(expected) else {
        try new.remove()
        return nil
      }
      guard try new.isNamed(size: size) else { return nil }
      return try new.rename(to: name, size: size)
    }
  }
}
