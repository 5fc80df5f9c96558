internal import Glibc

/// Lists the files of folders.
package enum FolderListing {
  package struct Entry: Sendable, Hashable {
    /// The name. Bytes that are not UTF-8 have become U+FFFD.
    package let name: String
    package let kind: Kind
  }

  /// The kind of file that a name in a folder refers to.
  package enum Kind: Sendable, Hashable {
    case file
    case folder
    /// A symbolic link, a pipe, a device or a socket.
    case other
  }

  /// Returns the kind of file at a path, following symbolic links; nil if there is nothing.
  package static func kind(of path: String) -> Kind? {
    var information = stat()
    guard stat(path, &information) == 0 else { return nil }
    return kind(information.st_mode)
  }

  private static func kind(_ mode: mode_t) -> Kind {
    switch mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .other
    }
  }

  /// Returns all names in a folder but `.` and `..`, in no particular order. Symbolic links are not
  /// followed.
  package static func entries(in path: String) throws(FileSystemError) -> [Entry] {
    try FilePath.check(path)
    guard let stream = opendir(path) else { throw FileSystemError(.listFolder) }
    var entries: [Entry] = []
    try forEachName(in: stream) { name, string in
      var information = stat()
      guard string != ".", string != "..",
        fstatat(dirfd(stream), name, &information, AT_SYMLINK_NOFOLLOW) == 0
      else { return }
      entries.append(Entry(name: string, kind: kind(information.st_mode)))
    }
    return entries
  }

  /// Returns the names of the regular files in a folder, and of symbolic links to some, in no
  /// particular order.
  ///
  /// - Parameter isWanted: Whether to check a file of this name. Bytes that are not UTF-8 have
  ///   become U+FFFD.
  package static func files(
    in path: String, where isWanted: (String) -> Bool
  ) throws(FileSystemError) -> [String] {
    try FilePath.check(path)
    guard let stream = opendir(path) else { throw FileSystemError(.listFolder) }
    return try files(in: stream, where: isWanted)
  }

  /// The same for an open folder.
  static func files(
    in folder: Folder, where isWanted: (String) -> Bool
  ) throws(FileSystemError) -> [String] {
    // A new descriptor has its own offset.
    let number = openat(folder.descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw FileSystemError(.listFolder) }
    guard let stream = fdopendir(number) else {
      let error = FileSystemError(.listFolder)
      close(number)
      throw error
    }
    return try files(in: stream, where: isWanted)
  }

  /// Reads the stream and closes it.
  private static func files(
    in stream: OpaquePointer, where isWanted: (String) -> Bool
  ) throws(FileSystemError) -> [String] {
    var names: [String] = []
    try forEachName(in: stream) { name, string in
      var information = stat()
      if isWanted(string), fstatat(dirfd(stream), name, &information, 0) == 0,
        information.st_mode & S_IFMT == S_IFREG
      {
        names.append(string)
      }
    }
    return names
  }

  /// Reads the stream and closes it.
  private static func forEachName(
    in stream: OpaquePointer, _ body: (UnsafePointer<CChar>, String) -> Void
  ) throws(FileSystemError) {
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw FileSystemError(.listFolder) }
        return
      }
      withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { body($0, String(cString: $0)) }
      }
    }
  }
}
