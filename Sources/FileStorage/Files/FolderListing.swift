internal import Glibc

/// Lists the files of folders.
package enum FolderListing {
  /// Returns the names of the regular files in a folder, and of symbolic links to some, in no
  /// particular order.
  ///
  /// - Parameter isWanted: Whether a file of this name is looked at. Bytes that are not UTF-8 have
  ///   become U+FFFD.
  package static func files(
    in path: String, where isWanted: (String) -> Bool
  ) throws(FileSystemError) -> [String] {
    try FilePath.check(path)
    guard let stream = opendir(path) else { throw FileSystemError(.listFolder) }
    return try files(in: stream, where: isWanted)
  }

  /// The same of an open folder.
  static func files(
    in folder: Folder, where isWanted: (String) -> Bool
  ) throws(FileSystemError) -> [String] {
    // A descriptor of its own, with an offset of its own.
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
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw FileSystemError(.listFolder) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { name -> String? in
          let string = String(cString: name)
          var information = stat()
          guard isWanted(string), fstatat(dirfd(stream), name, &information, 0) == 0,
            information.st_mode & S_IFMT == S_IFREG
          else { return nil }
          return string
        }
      }
      if let name { names.append(name) }
    }
  }
}
