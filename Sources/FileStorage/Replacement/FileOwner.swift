internal import CLinuxFile
internal import Glibc

/// The user and the group to whom a file belongs.
package struct FileOwner: Sendable, Hashable {
  package var user: UInt32
  package var group: UInt32
}

extension FileOwner {
  /// Gives an open file this owner, or at least its group, as far as the process may.
  ///
  /// - Returns: The owner that the file has then.
  /// - Throws: An error other than that the process may not do so, or that the owner is unknown in
  ///   its user namespace.
  func assign(to file: Descriptor) throws(FileSystemError) -> FileOwner {
    if fchown(file.number, user, group) == 0 { return self }
    let error = FileSystemError(.copyOwner)
    guard error.code == EPERM || error.code == EINVAL else { throw error }
    _ = fchown(file.number, .max, group)
    return FileIdentity(try file.information()).owner
  }

  /// Gives a file that root has just created in another user's folder to the owner of the
  /// folder, whose programs are to go on with it.
  static func assignFolderOwner(to file: Descriptor, in folder: Folder) {
    guard geteuid() == 0, let owner = try? FileIdentity(folder.descriptor.information()).owner,
      owner.user != 0
    else { return }
    _ = fchown(file.number, owner.user, owner.group)
  }
}
