internal import Glibc

/// The rule for trusting files of managed preferences.
package enum ManagedFile {
  /// Returns whether only root can have written a file: root owns it and every folder and symbolic
  /// link on its path, and neither group nor others may write to the file or any of these folders.
  package static func isTrusted(_ path: String) -> Bool {
    let root = PathBytes()
    guard path.hasPrefix("/"), isTrusted(root.linkInformation()) else { return false }
    var resolver = PathResolver(PathBytes(absolute: path))
    while let step = resolver.next() {
      guard isTrusted(step.information) else { return false }
    }
    return resolver.failure == nil
  }

  /// Returns whether only root can change a file, folder or symbolic link with these attributes.
  private static func isTrusted(_ information: stat?) -> Bool {
    guard let information, information.st_uid == 0 else { return false }
    // Permissions of symbolic links have no meaning.
    return information.st_mode & S_IFMT == S_IFLNK
      || information.st_mode & (S_IWGRP | S_IWOTH) == 0
  }
}
