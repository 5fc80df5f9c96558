internal import Glibc

/// The rule by which files of managed preferences count.
package enum ManagedFile {
  /// Whether nobody but root can have written a file: root owns it, every folder on its way and
  /// every symbolic link among them, and neither group nor others may write to any file or folder
  /// of these.
  package static func isTrusted(_ path: String) -> Bool {
    guard path.hasPrefix("/"), belongsToRoot("/") != nil else { return false }
    var current: [String] = []
    var remaining = components(path)
    var links = 0
    while let name = remaining.popLast() {
      if name == ".." {
        _ = current.popLast()
        continue
      }
      let next = "/" + (current + [name]).joined(separator: "/")
      guard let isLink = belongsToRoot(next) else { return false }
      guard isLink else {
        current.append(name)
        continue
      }
      // As many links as the kernel follows.
      links += 1
      guard links <= 40, let target = target(of: next) else { return false }
      if target.hasPrefix("/") { current = [] }
      remaining += components(target)
    }
    return true
  }

  /// The parts of a path, the last one first.
  private static func components(_ path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
  }

  /// Whether a path that only root can change is a symbolic link; nil where others can change it,
  /// too.
  private static func belongsToRoot(_ path: String) -> Bool? {
    var information = stat()
    guard lstat(path, &information) == 0, information.st_uid == 0 else { return nil }
    // The permissions of a link say nothing.
    if information.st_mode & S_IFMT == S_IFLNK { return true }
    return information.st_mode & (S_IWGRP | S_IWOTH) == 0 ? false : nil
  }

  private static func target(of link: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { bytes in
      readlink(link, bytes.baseAddress!, bytes.count)
    }
    return count > 0 && count < buffer.count
      ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
