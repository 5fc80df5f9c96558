package import FoundationEssentials
internal import Glibc

/// A file that is replaced as a whole, durably, by one process at a time: ``LockedFile`` replaces
/// it.
///
/// At any time, and after a crash, its path names either the complete old or the complete new
/// contents. Changes are made under a lock that every writer of this package takes; readers take
/// none.
package struct AtomicFile: Sendable {
  private let path: String
  let folder: Folder
  let name: String
  /// Whether the path named an open descriptor, such as `/dev/stdin`. What that has open may be
  /// read, but is not replaced.
  let isDescriptor: Bool

  /// How often reading or replacing is attempted while other programs change the file.
  static let attempts = 20

  /// A file, which need not exist, in an existing folder.
  ///
  /// Symbolic links are followed here, once: a change replaces the file that they lead to, even if
  /// a link is changed in between.
  ///
  /// - Parameter followsLinks: Whether symbolic links on the path are followed. Otherwise one in the
  ///   path of the folder is an error of code `ELOOP` here, and one of the file's name an error when
  ///   the file is read.
  package init(_ path: String, followingLinks followsLinks: Bool = true) throws(FileSystemError) {
    if !followsLinks { try FilePath.check(path) }
    let target = followsLinks ? try Self.resolve(path) : path
    self.path = target
    // A path without symbolic links is its own target.
    isDescriptor = target.utf8.elementsEqual(path.utf8) ? false : SpecialFile.isDescriptor(path)
    if let slash = target.utf8.lastIndex(of: UInt8(ascii: "/")) {
      name = String(target[target.utf8.index(after: slash)...])
      let folderPath = slash == target.startIndex ? "/" : String(target[..<slash])
      folder = try followsLinks ? Folder(folderPath) : Folder(withoutLinks: folderPath)
    } else {
      name = target
      folder = try Folder(".")
    }
    guard !name.isEmpty else {
      throw FileSystemError(.open, code: target.isEmpty ? ENOENT : EISDIR)
    }
  }

  /// Returns the path without symbolic links, or the path itself if there is no file.
  private static func resolve(_ path: String) throws(FileSystemError) -> String {
    do throws(FileSystemError) {
      return try FilePath.resolved(path)
    } catch {
      guard error.code == ENOENT else { throw error }
      var information = stat()
      guard lstat(path, &information) != 0 else { throw error }
      guard errno == ENOENT else { throw FileSystemError(.resolveSymlinks) }
      return path
    }
  }

  /// Returns the path of another file in the same folder.
  func sibling(_ name: String) -> String {
    String(decoding: path.utf8.dropLast(self.name.utf8.count), as: UTF8.self) + name
  }

  static func checkRegular(
    _ file: stat, for operation: FileSystemError.Operation
  ) throws(FileSystemError) {
    switch file.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw FileSystemError(operation, code: EISDIR)
    default: throw FileSystemError(operation, code: EINVAL)
    }
  }
}

// MARK: - Reading

extension AtomicFile {
  /// Reads a file, or anything else that has an end, such as a pipe.
  ///
  /// - Parameter limit: The maximum number of bytes.
  package static func read(_ path: String, limit: Int = .max - 1) throws(FileSystemError) -> Data {
    try FilePath.check(path)
    return try Descriptor.open(path, flags: O_RDONLY).readAll(limit: limit)
  }

  /// Reads the file as it is at one moment; nil if it does not exist.
  ///
  /// - Parameter limit: The maximum number of bytes.
  /// - Throws: An error of code `EAGAIN` if another program keeps changing the file in place while
  ///   it is read.
  package func read(limit: Int = .max - 1) throws(FileSystemError) -> FileContents? {
    try withStableFile { (file, identity) throws(FileSystemError) in
      FileContents(data: try file.readAll(limit: limit), identity: identity)
    }
  }

  /// Reads the file as it is at one moment, unless it still holds a known version.
  ///
  /// If the identity of that version is racy, the bytes are compared.
  ///
  /// - Throws: An error of code `EAGAIN` if another program keeps changing the file in place while
  ///   it is read.
  package func readIfChanged(
    since known: FileVersion?, limit: Int = .max - 1
  ) throws(FileSystemError) -> ConditionalRead {
    if let known {
      guard let present = try identity() else { return .missing }
      if present == known.identity, !known.identity.isRacy { return .unchanged(known) }
      if present.size == known.identity.size, known.fingerprint != nil {
        let version = try withStableFile { (file, identity) throws(FileSystemError) in
          FileVersion(identity: identity, fingerprint: try Fingerprint.hash(file))
        }
        if let version, version.fingerprint == known.fingerprint { return .unchanged(version) }
      }
    }
    return try read(limit: limit).map { .contents($0) } ?? .missing
  }

  /// Returns the identity of the file; nil if it does not exist.
  package func identity() throws(FileSystemError) -> FileIdentity? {
    let clock = FileIdentity.clock()
    return try folder.information(on: name).map { FileIdentity($0, clock: clock) }
  }

  /// Returns whether the file still holds a version, nil for none.
  func holds(_ expected: FileVersion?) throws(FileSystemError) -> Bool {
    guard try identity() == expected?.identity else { return false }
    guard let expected, expected.identity.isRacy, expected.fingerprint != nil else { return true }
    guard case .unchanged = try readIfChanged(since: expected) else { return false }
    return true
  }

  /// Calls the closure with the open file, again if the file has changed meanwhile; nil if it does
  /// not exist.
  private func withStableFile<Success>(
    _ body: (Descriptor, FileIdentity) throws(FileSystemError) -> Success
  ) throws(FileSystemError) -> Success? {
    for _ in 0..<Self.attempts {
      let file: Descriptor
      do throws(FileSystemError) {
        file = try folder.open(name, flags: O_RDONLY | O_NONBLOCK)
      } catch {
        if error.code == ENOENT { return nil }
        throw error
      }
      let clock = FileIdentity.clock()
      let before = try file.information()
      try Self.checkRegular(before, for: .readSpecialFile)
      let identity = FileIdentity(before, clock: clock)
      let success = try body(file, identity)
      if try FileIdentity(file.information()) == identity { return success }
    }
    throw FileSystemError(.readChangingFile, code: EAGAIN)
  }
}
