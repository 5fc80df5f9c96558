package import FoundationEssentials
internal import Glibc

extension AtomicFile {
  /// Changes the file under its lock.
  ///
  /// When this returns, the contents survive a crash, even if another program had written them and
  /// the closure left them unchanged.
  ///
  /// - Parameters:
  ///   - known: A version that the caller knows; if the file still holds it, its contents are not
  ///     read.
  ///   - timeout: How long to wait for the lock.
  ///   - limit: The maximum number of bytes to read.
  ///   - permissions: The permissions of a newly created file; nil to apply the umask of the
  ///     process.
  ///   - body: Called with the result of reading. Returns the new contents, or nil to leave the
  ///     file unchanged. It is called again if a program that takes no lock changes the file in
  ///     between. It must not lock the same file.
  /// - Returns: The version of the file after the change; nil if it still does not exist.
  /// - Throws: ``UpdateError/file(_:)``, which includes a lock timeout, or
  ///   ``UpdateError/body(_:)``.
  @discardableResult
  package func update<Failure>(
    since known: FileVersion? = nil, timeout: Duration = .seconds(10), limit: Int = .max - 1,
    permissions: UInt32? = nil, _ body: (ConditionalRead) throws(Failure) -> Data?
  ) throws(UpdateError<Failure>) -> FileVersion? {
    typealias UpdateError = FileStorage.UpdateError<Failure>
    return try changing(timeout: timeout) { file throws(UpdateError) -> FileVersion?? in
      let present = try UpdateError.wrappingFileError(
        try file.readIfChanged(since: known, limit: limit))
      let data = try UpdateError.wrappingBodyError { () throws(Failure) in try body(present) }
      guard let data else {
        try UpdateError.wrappingFileError(try file.flushPresent())
        return .some(present.version)
      }
      return try UpdateError.wrappingFileError(
        try file.replace(present.version, with: data, isPrivate: false, permissions: permissions)
      ).map { .some($0) }
    }
  }

  /// Locks the file and calls a closure that replaces it, again as long as it returns nil because
  /// programs that take no lock change the file.
  private func changing<Failure, Success>(
    timeout: Duration = .seconds(10),
    _ attempt: (inout LockedFile) throws(UpdateError<Failure>) -> Success?
  ) throws(UpdateError<Failure>) -> Success {
    typealias UpdateError = FileStorage.UpdateError<Failure>
    var file = try UpdateError.wrappingFileError(try lock(timeout: timeout))
    for _ in 0..<Self.attempts {
      if let success = try attempt(&file) { return success }
      try UpdateError.wrappingFileError(try file.renewLock(timeout: timeout))
    }
    throw .file(LockedFile.keepsChanging)
  }

  /// Replaces the contents of a path unconditionally. A ``SpecialFile``, such as a terminal or
  /// `/dev/stdout`, is written to.
  ///
  /// - Parameters:
  ///   - isPrivate: Whether only its owner may access a newly created file.
  ///   - followsLinks: Whether symbolic links are followed. Otherwise one anywhere on the path, or a
  ///     special file, is an error.
  package static func write(
    _ data: Data, to path: String, isPrivate: Bool = false, followingLinks followsLinks: Bool = true
  ) throws(FileSystemError) {
    try FilePath.check(path)
    if followsLinks, let special = SpecialFile(path) { return try special.write(data, to: path) }
    let file = try AtomicFile(path, followingLinks: followsLinks)
    do throws(UpdateError<Never>) {
      _ = try file.changing { file throws(UpdateError<Never>) -> FileVersion? in
        let present = try UpdateError<Never>.wrappingFileError(try file.identity())
        let version = present.map { FileVersion(identity: $0, fingerprint: nil) }
        return try UpdateError<Never>.wrappingFileError(
          try file.replace(version, with: data, isPrivate: isPrivate))
      }
    } catch {
      switch error {
      case .file(let error): throw error
      }
    }
  }

  /// Creates the folder of a path, and missing folders above it.
  ///
  /// - Parameter isPrivate: Whether only its owner may access a new folder; otherwise all users may
  ///   read it, and only its owner may write to it, whatever the umask of the process.
  package static func createFolder(
    of path: String, isPrivate: Bool = true
  ) throws(FileSystemError) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
      return
    }
    let folder = String(path[..<slash])
    let permissions: mode_t = isPrivate ? 0o700 : 0o755
    if mkdir(folder, permissions) != 0 {
      if errno == EEXIST { return }
      guard errno == ENOENT else { throw FileSystemError(.createFolder) }
      try createFolder(of: folder, isPrivate: isPrivate)
      guard mkdir(folder, permissions) == 0 || errno == EEXIST else {
        throw FileSystemError(.createFolder)
      }
    }
    let created = try Folder(folder)
    if !isPrivate, fchmod(created.descriptor.number, permissions) != 0 {
      throw FileSystemError(.createFolder)
    }
    // The name of the new folder must also survive a crash.
    try Folder(folder + "/..").synchronize(with: created.descriptor)
  }
}

/// The reason why a file was not updated: the file itself, or the closure that makes the change.
package enum UpdateError<Failure: Error>: Error {
  /// The file could not be read, locked or replaced.
  case file(FileSystemError)
  /// The closure threw this error.
  case body(Failure)
}

extension UpdateError {
  /// Returns the result of an operation on the file, or throws its error as ``file(_:)``.
  static func wrappingFileError<Success: ~Copyable>(
    _ operation: @autoclosure () throws(FileSystemError) -> Success
  ) throws(Self) -> Success {
    do throws(FileSystemError) {
      return try operation()
    } catch {
      throw .file(error)
    }
  }

  /// Returns the result of the closure, or throws its error as ``body(_:)``.
  static func wrappingBodyError<Success>(
    _ body: () throws(Failure) -> Success
  ) throws(Self) -> Success {
    do throws(Failure) {
      return try body()
    } catch {
      throw .body(error)
    }
  }
}

extension UpdateError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .file(let error): "\(error)"
    case .body(let error): "\(error)"
    }
  }
}
