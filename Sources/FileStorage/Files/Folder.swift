internal import Glibc

/// An open folder, in which files are named without a path: what is done there goes on in the same
/// folder when somebody moves it or puts another in its place.
struct Folder: Sendable {
  let descriptor: Descriptor

  init(_ path: String) throws(FileSystemError) {
    descriptor = try Descriptor.open(path, flags: O_RDONLY | O_DIRECTORY)
  }

  /// What is known of a file, a symbolic link not being followed; nil where there is none.
  func information(on name: String) throws(FileSystemError) -> stat? {
    var information = stat()
    if fstatat(descriptor.number, name, &information, AT_SYMLINK_NOFOLLOW) == 0 {
      return information
    }
    guard errno == ENOENT else { throw FileSystemError(.inspect) }
    return nil
  }

  /// Opens a file, never through a symbolic link.
  func open(_ name: String, flags: Int32, mode: mode_t = 0) throws(FileSystemError) -> Descriptor {
    try Descriptor.open(name, in: descriptor, flags: flags | O_NOFOLLOW, mode: mode)
  }

  /// Puts a file in the place of another, in one step.
  func rename(_ name: String, to newName: String) throws(FileSystemError) {
    guard renameat(descriptor.number, name, descriptor.number, newName) == 0 else {
      throw FileSystemError(.replace)
    }
  }

  /// Waits until the names in the folder are on the disk, where the file system knows how to.
  func synchronize() throws(FileSystemError) {
    do throws(FileSystemError) {
      try descriptor.synchronize()
    } catch {
      guard error.code == EINVAL else { throw error }
    }
  }

  /// Removes a file, if there is one.
  func remove(_ name: String) throws(FileSystemError) {
    guard unlinkat(descriptor.number, name, 0) == 0 || errno == ENOENT else {
      throw FileSystemError(.remove)
    }
  }
}
