internal import Glibc

/// Absolute forms of paths.
package enum FilePath {
  /// Returns the path appended to the working directory if it is relative.
  package static func absolute(_ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    return String(decoding: PathBytes(absolute: path), as: UTF8.self)
  }

  /// Returns the absolute path without symbolic links, `.` and `..`.
  ///
  /// - Returns: Nil, with `errno` set, if there is no such file, or with `EILSEQ` if the path is
  ///   not UTF-8.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    if let path = String(validatingCString: resolved) { return path }
    errno = EILSEQ
    return nil
  }
}
