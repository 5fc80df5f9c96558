internal import Glibc

/// Lists the files of folders.
package enum FolderListing {
  /// The names of the regular files in a folder, and of symbolic links to some, in no particular
  /// order. Bytes that are not UTF-8 become U+FFFD.
  package static func files(in path: String) throws(FileSystemError) -> [String] {
    try FilePath.check(path)
    guard let stream = opendir(path) else { throw FileSystemError(.listFolder) }
    return try files(in: stream)
  }

  /// The same of an open folder.
  static func files(in folder: Folder) throws(FileSystemError) -> [String] {
    // A descriptor of its own, with an offset of its own.
    let number = openat(folder.descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw FileSystemError(.listFolder) }
    guard let stream = fdopendir(number) else {
      let error = FileSystemError(.listFolder)
      close(number)
      throw error
    }
    return try files(in: stream)
  }

  /// Reads the stream and closes it.
  private static func files(in stream: OpaquePointer) throws(FileSystemError) -> [String] {
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
          var information = stat()
          guard fstatat(dirfd(stream), name, &information, 0) == 0,
            information.st_mode & S_IFMT == S_IFREG
          else { return nil }
          return String(cString: name)
        }
      }
      if let name { names.append(name) }
    }
  }
}
