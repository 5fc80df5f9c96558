internal import CLinuxFile
internal import Glibc
internal import Threading

/// An open folder, whose files are addressed by name: operations stay in it even if it is moved or
/// its path leads elsewhere.
struct Folder: Sendable {
  let descriptor: Descriptor
  /// Whether the folder may be listed and flushed, and not only entered.
  private let isReadable: Bool

  /// Opens a folder, in its parent if the path is relative. This needs only search permission.
  init(_ path: String, in parent: Descriptor? = nil) throws(FileSystemError) {
    do throws(FileSystemError) {
      descriptor = try Descriptor.open(path, in: parent, flags: O_RDONLY | O_DIRECTORY)
      isReadable = true
    } catch {
      guard error.code == EACCES else { throw error }
      descriptor = try Descriptor.open(path, in: parent, flags: LARDER_O_PATH | O_DIRECTORY)
      isReadable = false
    }
  }

  /// Opens a folder, entering the folders on the path one by one; a symbolic link is an error of
  /// code `ELOOP`.
  init(withoutLinks path: String) throws(FileSystemError) {
    let flags = LARDER_O_PATH | O_DIRECTORY | O_NOFOLLOW
    var folder = try Descriptor.open(path.utf8.first == UInt8(ascii: "/") ? "/" : ".", flags: flags)
    for name in path.utf8.split(separator: UInt8(ascii: "/")) {
      let name = String(decoding: name, as: UTF8.self)
      do throws(FileSystemError) {
        folder = try Descriptor.open(name, in: folder, flags: flags)
      } catch {
        var information = stat()
        guard error.code == ENOTDIR,
          fstatat(folder.number, name, &information, AT_SYMLINK_NOFOLLOW) == 0,
          information.st_mode & S_IFMT == S_IFLNK
        else { throw error }
        throw FileSystemError(.open, code: ELOOP)
      }
    }
    try self.init(".", in: folder)
  }

  func information(on name: String) throws(FileSystemError) -> stat? {
    var information = stat()
    let result = ForkGate.shared.allowingForks {
      fstatat(descriptor.number, name, &information, AT_SYMLINK_NOFOLLOW)
    }
    if result == 0 { return information }
    guard errno == ENOENT else { throw FileSystemError(.inspect) }
    return nil
  }

  /// Returns whether the process may write a file that exists.
  func mayWrite(_ name: String) -> Bool {
    faccessat(descriptor.number, name, W_OK, AT_EACCESS) == 0
  }

  /// Opens a file, without following a symbolic link.
  func open(_ name: String, flags: Int32, mode: mode_t = 0) throws(FileSystemError) -> Descriptor {
    try Descriptor.open(name, in: descriptor, flags: flags | O_NOFOLLOW, mode: mode)
  }

  /// Renames a file, atomically replacing any file of the new name.
  func rename(_ name: String, to newName: String) throws(FileSystemError) {
    let result = ForkGate.shared.allowingForks {
      renameat(descriptor.number, name, descriptor.number, newName)
    }
    guard result == 0 else { throw FileSystemError(.replace) }
  }

  /// Flushes the names in the folder to the disk, if the file system supports that.
  ///
  /// - Parameter file: A file or folder in the folder. If the folder itself cannot be read, the
  ///   whole file system is flushed through this file.
  func synchronize(with file: Descriptor) throws(FileSystemError) {
    guard isReadable else { return try file.synchronizeFileSystem() }
    do throws(FileSystemError) {
      try descriptor.synchronize()
    } catch {
      guard error.code == EINVAL else { throw error }
    }
  }

  func remove(_ name: String) throws(FileSystemError) {
    let result = ForkGate.shared.allowingForks { unlinkat(descriptor.number, name, 0) }
    guard result == 0 || errno == ENOENT else { throw FileSystemError(.remove) }
  }
}
