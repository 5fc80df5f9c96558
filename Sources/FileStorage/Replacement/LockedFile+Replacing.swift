package import FoundationEssentials
internal import Glibc

extension LockedFile {
  /// Replaces the file if it still holds an expected version, nil for none.
  ///
  /// The new contents are written to a temporary file beside the old one, with the owner,
  /// permissions, access control list and extended attributes of the latter, flushed to the disk,
  /// and renamed over it; then the folder is flushed. When this returns a version, the contents
  /// survive a crash. When it throws, the file is unchanged, except that if the very last step
  /// fails, the new contents are in place but may not survive a crash.
  ///
  /// - Parameter isPrivate: Whether only its owner may access a newly created file; otherwise the
  ///   umask of the process applies.
  /// - Returns: The new version; nil if the file held another one, or another writer has put its own
  ///   contents in place of the new ones.
  package func replace(
    _ expected: FileVersion?, with data: Data, isPrivate: Bool
  ) throws(FileSystemError) -> FileVersion? {
    guard !isLost else { throw FileSystemError(.keepLockInChild, code: EPERM) }
    let existing = try folder.information(on: name)
    guard existing.map({ FileIdentity($0) }) == expected?.identity else { return nil }
    if let existing { try AtomicFile.checkRegular(existing, for: .replaceSpecialFile) }

    let new = try TemporaryFile(
      replacing: name, in: folder, mode: existing == nil && !isPrivate ? 0o666 : 0o600)
    let isReplaced: Bool
    do throws(FileSystemError) {
      if let existing {
        try FileAttributes.copy(from: name, existing, to: new.descriptor, in: folder)
      }
      try new.descriptor.writeAll(data)
      try new.descriptor.synchronize()
      try new.descriptor.flushAsOnClose()
      isReplaced = try put(new, inPlaceOf: expected)
    } catch {
      try? new.remove()
      // Only root can keep the owner of a file that this process may not write.
      guard case .failed(.copyOwner, let code) = error, !folder.mayWrite(name) else { throw error }
      throw FileSystemError(.replaceReadOnlyFile, code: code)
    }
    guard isReplaced else { return nil }
    try folder.synchronize(with: new.descriptor)
    let clock = FileIdentity.clock()
    let identity = FileIdentity(try new.descriptor.information(), clock: clock)
    return FileContents(data: data, identity: identity).version
  }

  /// Renames a complete new file over this one if this one is still in the expected state.
  ///
  /// - Returns: Whether the new file is in place. It is not if another program, or another holder
  ///   of the lock, was faster; then it is removed.
  private func put(
    _ new: borrowing TemporaryFile, inPlaceOf expected: FileVersion?
  ) throws(FileSystemError) -> Bool {
    // If the lock file was removed, the lock can have two holders.
    try folder.withLock { _ throws(FileSystemError) in
      guard try file.location.holds(expected) else {
        try new.remove()
        return false
      }
      guard try new.isNamed() else { return false }
      return try new.rename(to: name)
    }
  }
}
