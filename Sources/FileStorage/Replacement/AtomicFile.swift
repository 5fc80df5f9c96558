package import FoundationEssentials
internal import Glibc

/// A file that is replaced as a whole, durably, by one process at a time: ``LockedFile`` replaces
/// it. At any time, and after a crash, its path names either the complete old or the complete new
/// contents. Changes are made under a lock that every writer of this package takes; readers take
/// none.
package struct AtomicFile: Sendable {
  private let path: String
  let folder: Folder
  let name: String
  /// Whether the path named an open descriptor, such as `/dev/stdin`. The open file may be read,
  /// but is not replaced.
  let isDescriptor: Bool

  /// How often reading or replacing is attempted while other programs change the file.
  static let attempts = 20

  /// A file, which need not exist, in an existing folder.
  ///
  /// Symbolic links are followed here, once: a change replaces or creates the file that they lead
  /// to, even if a link is changed before that.
  ///
  /// - Parameter followsLinks: Whether symbolic links on the path are followed. Otherwise a link in
  ///   the path of the folder is an error of code `ELOOP` here, and a link with the file's name is
  ///   an error when the file is read.
  package init(_ path: String, followingLinks followsLinks: Bool = true) throws(FileSystemError) {
    try FilePath.check(path)
    // The name before the slash is the name of a folder.
    if followsLinks, path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/"),
      let folder = try? FilePath.resolved(path)
    {
      try self.init(path: folder, isDescriptor: false) { path throws(FileSystemError) in
        try Folder(path)
      }
      return
    }
    try self.init(path: path, isDescriptor: false) { path throws(FileSystemError) in
      try followsLinks ? Folder(path) : Folder(withoutLinks: path)
    }
    guard followsLinks else { return }
    // The kernel has followed links to the folder.
    let isLink: Bool
    do throws(FileSystemError) {
      isLink = try folder.information(on: name).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
    } catch {
      throw error.during(.open)
    }
    guard isLink else { return }
    let isDescriptor = SpecialFile.isDescriptor(path)
    self = try AtomicFile(
      path: try isDescriptor ? FilePath.resolved(path) : FilePath.resolvedLink(path),
      isDescriptor: isDescriptor
    ) { path throws(FileSystemError) in try Folder(path) }
  }

  private init(
    path: String, isDescriptor: Bool,
    openingFolder open: (String) throws(FileSystemError) -> Folder
  ) throws(FileSystemError) {
    (self.path, self.isDescriptor) = (path, isDescriptor)
    if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
      name = String(path[path.utf8.index(after: slash)...])
      folder = try open(slash == path.startIndex ? "/" : String(path[..<slash]))
    } else {
      name = path
      folder = try Folder(".")
    }
    guard !name.isEmpty else { throw FileSystemError(.open, code: path.isEmpty ? ENOENT : EISDIR) }
  }

  /// Returns the path of another file in the same folder.
  func sibling(_ name: String) -> String {
    String(decoding: path.utf8.dropLast(self.name.utf8.count), as: UTF8.self) + name
  }

  static func checkRegular(
    _ mode: mode_t, for operation: FileSystemError.Operation
  ) throws(FileSystemError) {
    switch mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw FileSystemError(operation, code: EISDIR)
    default: throw FileSystemError(operation, code: EINVAL)
    }
  }
}

extension AtomicFile {
  var location: FileLocation { .name(name, in: folder) }

  /// Reads a file, or anything else that has an end, such as a pipe.
  package static func read(_ path: String, limit: Int = .max - 1) throws(FileSystemError) -> Data {
    try FilePath.check(path)
    return try Descriptor.open(path, flags: O_RDONLY).readAll(limit: limit)
  }

  /// Reads the first line of a file, with its line feed; a longer line is cut at the limit.
  package static func readLine(_ path: String, limit: Int) throws(FileSystemError) -> Data {
    try FilePath.check(path)
    return try Descriptor.open(path, flags: O_RDONLY).readLine(limit: limit)
  }

  /// Reads the first bytes of a file, as many as there are up to a limit.
  package static func readBeginning(_ path: String, limit: Int) throws(FileSystemError) -> Data {
    try FilePath.check(path)
    return try Descriptor.open(path, flags: O_RDONLY | O_NONBLOCK).readBeginning(limit: limit)
  }

  /// Reads the file as of one moment; nil if it does not exist. Throws an error of code
  /// `EAGAIN` if another program keeps changing it in place.
  package func read(limit: Int = .max - 1) throws(FileSystemError) -> FileContents? {
    try location.read(limit: limit)
  }

  /// Reads the file of a path as of one moment, unless it still holds a known version.
  ///
  /// The folder need not exist, and is not opened. If the identity of the known version is racy,
  /// the bytes are compared.
  ///
  /// - Throws: An error of code `EAGAIN` if another program keeps changing the file in place while
  ///   it is read.
  package static func readIfChanged(
    _ path: String, since known: FileVersion?, limit: Int = .max - 1
  ) throws(FileSystemError) -> ConditionalRead {
    try FilePath.check(path)
    return try FileLocation.path(path).readIfChanged(since: known, limit: limit)
  }

  package func identity() throws(FileSystemError) -> FileIdentity? { try location.identity() }

  package static func identity(of path: String) throws(FileSystemError) -> FileIdentity? {
    try FilePath.check(path)
    return try FileLocation.path(path).identity()
  }
}
