internal import Glibc
internal import Threading

/// Valid and absolute forms of paths.
package enum FilePath {
  /// Refuses a path that would lead to a file other than the intended one. The kernel ends a path
  /// at the first NUL. U+FFFD replaces bytes that are not UTF-8 wherever they become a string: in
  /// arguments, the environment and names in folders.
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

  /// The part of a file's name after its last dot; empty if there is none.
  package static func fileExtension(of path: String) -> String {
    splitExtension(of: path).ending ?? ""
  }

  /// Returns a path without the extension of its last component, and the extension; nil if it has
  /// none. A leading dot, as in `.profile`, does not begin one.
  package static func splitExtension(of path: String) -> (stem: String, ending: String?) {
    // By bytes, because a slash and a combining mark are one character.
    let bytes = path.utf8
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    let start = slash.map { bytes.index(after: $0) } ?? bytes.startIndex
    guard let dot = bytes[start...].lastIndex(of: UInt8(ascii: ".")), dot != start else {
      return (path, nil)
    }
    return (String(path[..<dot]), String(path[bytes.index(after: dot)...]))
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
