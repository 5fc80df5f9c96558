package import FoundationEssentials
internal import Glibc

extension AtomicFile {
  /// Changes the file under its lock.
  ///
  /// The new contents are written to a temporary file beside the old one, with the owner, permissions,
  /// access control list and extended attributes of the latter, flushed to the disk, and renamed over it;
  /// then the folder is flushed. When this returns, the contents survive a crash, also if another program
  /// had written them and the closure left them unchanged. When this throws, the file is unchanged, except
  /// that if the very last step fails, the new contents are in place but may not survive a crash.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for the lock.
  ///   - keepingLockFile: Whether to leave the lock file in place for the next time.
  ///   - isPrivate: Whether only its owner may access a newly created file; otherwise the umask of the
  ///     process applies.
  ///   - limit: The maximum number of bytes to read.
  ///   - body: Called with the present contents, nil if the file does not exist. Returns the new contents,
  ///     or nil to leave the file unchanged. It is called again if a program that takes no lock changes the
  ///     file meanwhile. It must not lock the same file.
  /// - Returns: The identity of the file after the change; nil if it still does not exist.
  /// - Throws: ``UpdateError/file(_:)``, also for a lock timeout, or ``UpdateError/body(_:)``.
  @discardableResult
  package func update<Failure>(
    timeout: Duration = .seconds(10), keepingLockFile: Bool = false, isPrivate: Bool = false,
    limit: Int = .max - 1, _ body: (FileContents?) throws(Failure) -> Data?
  ) throws(UpdateError<Failure>) -> FileIdentity? {
    let version = try update(
      since: nil, timeout: timeout, keepingLockFile: keepingLockFile, isPrivate: isPrivate,
      limit: limit
    ) { (present) throws(Failure) in
      if case .contents(let contents) = present { try body(contents) } else { try body(nil) }
    }
    return version?.identity
  }

  /// Changes the file under its lock, for a caller that knows a version of it.
  ///
  /// - Parameters:
  ///   - known: The version; if the file still holds it, its contents are not read.
  ///   - body: Called with the result of reading. Returns the new contents, or nil to leave the file
  ///     unchanged.
  /// - Returns: The version of the file after the change; nil if it still does not exist.
  package func update<Failure>(
    since known: FileVersion?, timeout: Duration = .seconds(10), keepingLockFile: Bool = false,
    isPrivate: Bool = false, limit: Int = .max - 1,
    _ body: (ConditionalRead) throws(Failure) -> Data?
  ) throws(UpdateError<Failure>) -> FileVersion? {
    typealias UpdateError = FileStorage.UpdateError<Failure>
    return try withLock(timeout: timeout, keepingLockFile: keepingLockFile) {
      () throws(UpdateError) in
      for _ in 0..<Self.attempts {
        let present = try UpdateError.wrappingFileError(
          try readIfChanged(since: known, limit: limit))
        let data = try UpdateError.wrappingBodyError { () throws(Failure) in try body(present) }
        guard let data else {
          if present.identity != nil { try UpdateError.wrappingFileError(try synchronize()) }
          return present.version
        }
        let identity = try UpdateError.wrappingFileError(
          try replace(present.identity, with: data, isPrivate: isPrivate))
        if let identity { return FileContents(data: data, identity: identity).version }
      }
      throw .file(Self.keepsChanging)
    }
  }

  /// Replaces the contents of a path unconditionally. A device or pipe, such as a terminal, is written
  /// to.
  package static func write(_ data: Data, to path: String) throws(FileSystemError) {
    var information = stat()
    if stat(path, &information) == 0, [S_IFCHR, S_IFIFO].contains(information.st_mode & S_IFMT) {
      return try Descriptor.open(path, flags: O_WRONLY | O_NOCTTY).writeAll(data)
    }
    let file = try AtomicFile(path)
    try file.withLock(timeout: .seconds(10), keepingLockFile: false) {
      () throws(FileSystemError) in
      for _ in 0..<attempts {
        if try file.replace(try file.identity(), with: data, isPrivate: false) != nil { return }
      }
      throw keepsChanging
    }
  }

  /// Renames the file within its folder, under its lock.
  ///
  /// - Parameters:
  ///   - suffix: What to append to the name, followed by a number if such a file exists.
  ///   - condition: Called under the lock; the file is left alone if it returns false.
  /// - Returns: The new name; nil if there is no file or the condition does not hold.
  package func moveAside(
    suffix: String, timeout: Duration = .seconds(10), keepingLockFile: Bool = false,
    where condition: () -> Bool = { true }
  ) throws(FileSystemError) -> String? {
    try withLock(timeout: timeout, keepingLockFile: keepingLockFile) {
      () throws(FileSystemError) in
      guard try folder.information(on: name) != nil, condition() else { return nil }
      var number = 1
      while true {
        let newName = FileName.make("", name, suffix + (number == 1 ? "" : "-\(number)"))
        if try folder.information(on: newName) == nil {
          try folder.rename(name, to: newName)
          try folder.synchronize()
          return newName
        }
        number += 1
      }
    }
  }

  /// Creates the folder of a path, and missing folders above it, accessible to their owner only.
  package static func createFolder(of path: String) throws(FileSystemError) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
      return
    }
    let folder = String(path[..<slash])
    if mkdir(folder, 0o700) != 0 {
      if errno == EEXIST { return }
      guard errno == ENOENT else { throw FileSystemError(.createFolder) }
      try createFolder(of: folder)
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
        throw FileSystemError(.createFolder)
      }
    }
    // The name of the new folder has to survive a crash, too.
    try Folder(folder + "/..").synchronize()
  }

  // MARK: Locking

  /// Calls the closure while no other process changes the file.
  private func withLock<Success>(
    timeout: Duration, keepingLockFile: Bool, _ body: () throws(FileSystemError) -> Success
  ) throws(FileSystemError) -> Success {
    let lock = try lock(timeout: timeout)
    let result = Result { () throws(FileSystemError) in try body() }
    lock.release(keepingFile: keepingLockFile)
    return try result.get()
  }

  private func withLock<Success, Failure>(
    timeout: Duration, keepingLockFile: Bool, _ body: () throws(UpdateError<Failure>) -> Success
  ) throws(UpdateError<Failure>) -> Success {
    let lock: FileLock
    do throws(FileSystemError) {
      lock = try self.lock(timeout: timeout)
    } catch {
      throw .file(error)
    }
    let result = Result { () throws(UpdateError<Failure>) in try body() }
    lock.release(keepingFile: keepingLockFile)
    return try result.get()
  }

  private func lock(timeout: Duration) throws(FileSystemError) -> FileLock {
    try FileLock(on: name, in: folder, like: try folder.information(on: name), timeout: timeout)
  }

  // MARK: Replacing

  private static let keepsChanging = FileSystemError(.replaceChangingFile, code: EAGAIN)

  /// Flushes the present contents to the disk: the program that wrote them may not have done so.
  private func synchronize() throws(FileSystemError) {
    try folder.open(name, flags: O_RDONLY | O_NONBLOCK).synchronize()
    try folder.synchronize()
  }

  /// Replaces the file if it is still in an expected state, nil for none.
  ///
  /// - Returns: The new identity; nil if the file was in another state.
  private func replace(
    _ expected: FileIdentity?, with data: Data, isPrivate: Bool
  ) throws(FileSystemError) -> FileIdentity? {
    let existing = try folder.information(on: name)
    guard existing.map({ FileIdentity($0) }) == expected else { return nil }
    if let existing { try Self.checkRegular(existing, for: .replaceSpecialFile) }

    let temporaryName = FileName.make(".", name, ".new")
    let file = try createTemporaryFile(
      temporaryName, mode: existing == nil && !isPrivate ? 0o666 : 0o600)
    do throws(FileSystemError) {
      if let existing {
        try FileAttributes.copy(from: name, existing, to: file, in: folder)
      }
      try file.writeAll(data)
      try file.synchronize()
      guard try identity() == expected else {
        try folder.remove(temporaryName)
        return nil
      }
      // If the lock file was removed, the lock can have two holders.
      let named = try folder.information(on: temporaryName).map { FileIdentity($0) }
      guard try named?.isSameFile(as: FileIdentity(file.information())) == true else {
        throw FileSystemError(.replace, code: ESTALE)
      }
      try folder.rename(temporaryName, to: name)
    } catch {
      try? folder.remove(temporaryName)
      throw error
    }
    try folder.synchronize()
    let clock = FileIdentity.clock()
    return FileIdentity(try file.information(), clock: clock)
  }

  /// Creates the file that is to replace this one.
  private func createTemporaryFile(
    _ temporaryName: String, mode: mode_t
  ) throws(FileSystemError) -> Descriptor {
    do throws(FileSystemError) {
      // Only the holder of the lock uses the name: an existing file was left by a process that crashed.
      try folder.remove(temporaryName)
      return try folder.open(temporaryName, flags: O_RDWR | O_CREAT | O_EXCL, mode: mode)
    } catch {
      throw error.during(.createTemporaryFile)
    }
  }
}
