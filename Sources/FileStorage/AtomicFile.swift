package import FoundationEssentials
internal import Glibc

/// Whole files, read at once and replaced at once.
///
/// A replacement is written to a new file in the same folder, brought to the disk, and renamed over the
/// old one: at any moment, and after a crash, the path names the whole old content or the whole new one.
package enum AtomicFile {
  /// Reads a file, or anything else that can be read to an end, such as a pipe.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - limit: How many bytes there may be.
  /// - Throws: An error of `EFBIG` when there are more.
  package static func read(_ path: String, limit: Int = .max - 1) throws(SystemError) -> Data {
    try Descriptor.open(path, flags: O_RDONLY).readAll(limit: limit)
  }

  /// Gives a path new content, durably.
  ///
  /// An existing file keeps its permissions and owner, and a symbolic link to it stays a link; another
  /// hard link to it stays with the old content. A new file has the permissions of the process's
  /// mask. On an error the file is as it was.
  ///
  /// What is there and is no file, such as a terminal or a pipe, is written to.
  package static func replace(_ path: String, with data: Data) throws(SystemError) {
    var information = stat()
    if stat(path, &information) == 0, [S_IFCHR, S_IFIFO].contains(information.st_mode & S_IFMT) {
      return try Descriptor.open(path, flags: O_WRONLY | O_NOCTTY).writeAll(data)
    }
    try write(data, to: path, overExisting: true)
  }

  /// Makes a new file, durably.
  ///
  /// - Throws: An error of `EEXIST`, `File exists`, when there is one already, which stays as it was.
  package static func create(_ path: String, with data: Data) throws(SystemError) {
    try write(data, to: path, overExisting: false)
  }

  private static func write(
    _ data: Data, to path: String, overExisting: Bool
  ) throws(SystemError) {
    let target = try overExisting ? resolve(path) : path
    let (folderPath, name) = split(target)
    let folder = try Descriptor.open(folderPath, flags: O_RDONLY | O_DIRECTORY)

    var existing: stat? = stat()
    if fstatat(folder.number, name, &existing!, AT_SYMLINK_NOFOLLOW) != 0 {
      guard errno == ENOENT else { throw SystemError("examine") }
      existing = nil
    }
    if let existing {
      guard overExisting else { throw SystemError("create", code: EEXIST) }
      guard existing.st_mode & S_IFMT == S_IFREG else {
        let isFolder = existing.st_mode & S_IFMT == S_IFDIR
        throw SystemError("replace what is not a file", code: isFolder ? EISDIR : EINVAL)
      }
    }

    let (file, temporaryName) = try createTemporary(for: name, in: folder, existing: existing)
    do throws(SystemError) {
      try file.writeAll(data)
      try file.synchronise()
      if overExisting {
        guard renameat(folder.number, temporaryName, folder.number, name) == 0 else {
          throw SystemError("replace")
        }
      } else {
        // A link, unlike a rename, fails where somebody has made the file meanwhile.
        guard linkat(folder.number, temporaryName, folder.number, name, 0) == 0 else {
          throw SystemError("create")
        }
        unlinkat(folder.number, temporaryName, 0)
      }
    } catch {
      unlinkat(folder.number, temporaryName, 0)
      throw error
    }
    try folder.synchronise()
  }

  /// The file that a path leads to through symbolic links, or the path itself where nothing is yet.
  private static func resolve(_ path: String) throws(SystemError) -> String {
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    var information = stat()
    if errno == ENOENT, lstat(path, &information) != 0, errno == ENOENT { return path }
    throw SystemError("follow the link")
  }

  /// A path's folder and its last component.
  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.utf8.index(after: slash)...]))
  }

  /// Creates a file beside the one of the name, with the permissions and owner of the existing one.
  private static func createTemporary(
    for name: String, in folder: Descriptor, existing: stat?
  ) throws(SystemError) -> (Descriptor, name: String) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
    while true {
      let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
      // The longest name that a file may have leaves no room: the suffix alone then.
      let temporaryName = name.utf8.count > 200 ? ".\(suffix)" : ".\(name).\(suffix)"
      let file: Descriptor
      do throws(SystemError) {
        file = try .open(
          temporaryName, in: folder, flags: flags, mode: existing == nil ? 0o666 : 0o600)
      } catch {
        if error.code == EEXIST { continue }
        throw SystemError("create a file beside it", code: error.code)
      }
      if let existing, let error = adopt(existing, by: file) {
        unlinkat(folder.number, temporaryName, 0)
        throw error
      }
      return (file, temporaryName)
    }
  }

  /// Gives a file the owner and permissions of another, before it has any content.
  private static func adopt(_ existing: stat, by file: Descriptor) -> SystemError? {
    var own = stat()
    guard fstat(file.number, &own) == 0 else { return SystemError("examine") }
    if own.st_uid != existing.st_uid || own.st_gid != existing.st_gid {
      guard fchown(file.number, existing.st_uid, existing.st_gid) == 0 else {
        return SystemError("keep the owner")
      }
    }
    guard fchmod(file.number, existing.st_mode & 0o7777) == 0 else {
      return SystemError("keep the permissions")
    }
    return nil
  }
}
