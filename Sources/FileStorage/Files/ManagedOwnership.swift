internal import Glibc

/// The rule for trusting files of managed preferences.
package enum ManagedOwnership {
  /// Returns whether only root can have written the contents of a path: root owns the file and
  /// every folder and symbolic link on its path, and neither group nor others may write to the file
  /// or any of these folders.
  ///
  /// If an access control list lets another user or group write, the group's permissions show that,
  /// because they are the mask of the list (acl(5)).
  ///
  /// - Parameter identity: The file that was read; nil for the one at the path now.
  package static func isTrusted(_ path: String, holding identity: FileIdentity? = nil) -> Bool {
    let root = PathBytes()
    guard path.hasPrefix("/"), (try? FilePath.check(path)) != nil,
      isTrusted(root.linkInformation())
    else { return false }
    var resolver = PathResolver(PathBytes(absolute: path))
    var last: stat?
    while let step = resolver.next() {
      guard isTrusted(step.information) else { return false }
      last = step.information
    }
    guard resolver.failure == nil else { return false }
    guard let identity, let last else { return identity == nil }
    return FileIdentity(last).isSameFile(as: identity)
  }

  /// Returns whether only root can change a file, folder or symbolic link with these attributes.
  private static func isTrusted(_ information: stat?) -> Bool {
    guard let information, information.st_uid == 0 else { return false }
    // Permissions of symbolic links have no meaning.
    return information.st_mode & S_IFMT == S_IFLNK || information.st_mode & (S_IWGRP | S_IWOTH) == 0
  }
}
