internal import Glibc
internal import Threading

/// Valid and absolute forms of paths.
package enum FilePath {
  /// Refuses a path that would lead to another file than the one that is meant. The kernel ends a
  /// path at the first NUL. U+FFFD replaces bytes that are not UTF-8 wherever they become a string:
  /// in arguments, the environment and names in folders.
  package static func check(_ path: String) throws(FileSystemError) {
    if path.utf8.contains(0) { throw FileSystemError(.openPathWithNUL, code: EINVAL) }
    if path.utf8.contains(0xEF), path.unicodeScalars.contains("\u{FFFD}") {
      throw FileSystemError(.openUndecodablePath, code: EILSEQ)
    }
  }

  package static func joining(_ folder: String, _ name: String) -> String {
    if folder == "." { return name }
    return folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
  }

  /// Returns the folder and the name in a path; nil for the folder of a name alone.
  package static func split(_ path: String) -> (folder: String?, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (nil, path) }
    let name = String(path[path.utf8.index(after: slash)...])
    return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
  }

  /// Returns the path appended to the working directory if it is relative.
  package static func absolute(_ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    return String(decoding: PathBytes(absolute: path), as: UTF8.self)
  }

  /// Returns the absolute path without symbolic links, `.` and `..`.
  ///
  /// - Throws: An error of code `ENOENT` if there is no such file, and of `EILSEQ` if the path is not
  ///   UTF-8.
  package static func resolved(_ path: String) throws(FileSystemError) -> String {
    try check(path)
    let resolved = ForkGate.shared.allowingForks { realpath(path, nil) }
    guard let resolved else { throw FileSystemError(.resolveSymlinks) }
    defer { free(resolved) }
    guard let path = String(validatingCString: resolved) else {
      throw FileSystemError(.resolveSymlinks, code: EILSEQ)
    }
    return path
  }

  /// Returns the path of the file that a symbolic link leads to. The file need not exist, but its
  /// folder must.
  static func resolvedLink(_ path: String) throws(FileSystemError) -> String {
    do throws(FileSystemError) {
      return try resolved(path)
    } catch {
      guard error.code == ENOENT else { throw error }
    }
    var resolver = PathResolver(PathBytes(absolute: path))
    while let step = resolver.next() {
      guard step.information == nil else { continue }
      guard step.isLast, let path = String(validating: step.path, as: UTF8.self) else { break }
      return path
    }
    throw FileSystemError(.followSymlink, code: ENOENT)
  }
}

/// Names of files derived from other names.
package enum FileName {
  /// The maximum length of a name in bytes, as on Linux file systems.
  private static let limit = 255

  package static func isPossible(_ name: String) -> Bool { name.utf8.count <= limit }

  /// Returns a name between a prefix and a suffix, or a hash of the name if that would be too long.
  package static func make(_ prefix: String, _ name: String, _ suffix: String) -> String {
    let length = prefix.utf8.count + name.utf8.count + suffix.utf8.count
    guard length > limit else { return prefix + name + suffix }
    return prefix + "larder-" + String(FNV1a.hash(name), radix: 36) + suffix
  }
}
