package import FoundationEssentials
internal import Glibc

extension LockedFile {
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
      try new.flushAsOnClose()
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
}
