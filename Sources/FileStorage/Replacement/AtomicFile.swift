package import FoundationEssentials
internal import Glibc

/// A file that is replaced as a whole, durably, by one process at a time.
///
/// At any moment, and after a crash, its path names the whole old content or the whole new one. A
/// change is made under a lock that every writer of this package takes; readers take none.
package struct AtomicFile: Sendable {
  private let path: String
  let folder: Folder
  let name: String

  /// The file of a path, which need not exist; its folder must.
  ///
  /// Symbolic links are followed here and once: a change replaces the file that they lead to, and
  /// never goes anywhere else when a link is changed meanwhile.
  package init(_ path: String) throws(FileSystemError) {
    let target = try Self.resolve(path)
    self.path = target
    if let slash = target.utf8.lastIndex(of: UInt8(ascii: "/")) {
      name = String(target[target.utf8.index(after: slash)...])
      folder = try Folder(slash == target.startIndex ? "/" : String(target[..<slash]))
    } else {
      name = target
      folder = try Folder(".")
    }
    guard !name.isEmpty else {
      throw FileSystemError(.open, code: target.isEmpty ? ENOENT : EISDIR)
    }
  }

  /// The path behind all symbolic links, or the path itself where nothing is yet.
  private static func resolve(_ path: String) throws(FileSystemError) -> String {
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    var information = stat()
    if errno == ENOENT, lstat(path, &information) != 0, errno == ENOENT { return path }
    throw FileSystemError(.resolveSymlinks)
  }

  /// How often reading or replacing is attempted while other programs change the file.
  static let attempts = 20

  // MARK: Reading

  /// Reads a path to its end: a file, or anything else that has one, such as a pipe.
  ///
  /// - Parameter limit: How many bytes there may be.
  package static func read(_ path: String, limit: Int = .max - 1) throws(FileSystemError) -> Data {
    try Descriptor.open(path, flags: O_RDONLY).readAll(limit: limit)
  }

  /// Reads the file as it is at one moment; nil where there is none.
  ///
  /// - Parameter limit: How many bytes there may be.
  /// - Throws: `EAGAIN` when another program keeps writing into the file without replacing it, so
  ///   that no two looks at it agree.
  package func read(limit: Int = .max - 1) throws(FileSystemError) -> FileContents? {
    try open { (file, identity) throws(FileSystemError) in
      FileContents(data: try file.readAll(limit: limit), identity: identity)
    }
  }

  /// Reads the file as it is at one moment, unless it still holds a known version.
  ///
  /// Where the file's identity is racy, its bytes are compared.
  ///
  /// - Throws: `EAGAIN` when another program keeps writing into the file without replacing it, so
  ///   that no two looks at it agree.
  package func readIfChanged(
    since known: FileVersion?, limit: Int = .max - 1
  ) throws(FileSystemError) -> ConditionalRead {
    if let known {
      guard let present = try identity() else { return .missing }
      if present == known.identity, !known.identity.isRacy { return .unchanged(known) }
      if present.size == known.identity.size {
        let version = try open { (file, identity) throws(FileSystemError) in
          FileVersion(identity: identity, fingerprint: try Fingerprint.hash(file))
        }
        if let version, version.fingerprint == known.fingerprint { return .unchanged(version) }
      }
    }
    return try read(limit: limit).map { .contents($0) } ?? .missing
  }

  /// Opens the file and does something during which it does not change; nil where there is none.
  private func open<Success>(
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
      try Self.checkRegular(before, to: .readSpecialFile)
      let identity = FileIdentity(before, clock: clock)
      let success = try body(file, identity)
      if try FileIdentity(file.information()) == identity { return success }
    }
    throw FileSystemError(.readChangingFile, code: EAGAIN)
  }

  /// The state of the file, without its content; nil where there is none.
  package func identity() throws(FileSystemError) -> FileIdentity? {
    let clock = FileIdentity.clock()
    return try folder.information(on: name).map { FileIdentity($0, clock: clock) }
  }

  private static func checkRegular(_ file: stat, to operation: FileSystemError.Operation)
    throws(FileSystemError)
  {
    switch file.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw FileSystemError(operation, code: EISDIR)
    default: throw FileSystemError(operation, code: EINVAL)
    }
  }

  // MARK: Changing

  /// Changes the file under its lock.
  ///
  /// A new content is written to a new file beside the old one, with the old one's owner, permissions,
  /// access control list and extended attributes, brought to the disk, and renamed over it; then the
  /// folder is brought to the disk. When this returns, what the file holds will outlast a crash, also
  /// where it was left as another program had written it. When it throws, the file is as it was, except
  /// that a failure of the very last step leaves the new content in place and its fate after a crash
  /// open.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for the lock.
  ///   - keepingLockFile: Whether the lock's file stays beside the file, to be there the next time.
  ///   - isPrivate: Whether a file that is made is for its owner alone; otherwise the process's mask
  ///     decides.
  ///   - limit: How many bytes there may be.
  ///   - body: Gets what the file holds now, nil where there is none, and gives what it shall hold,
  ///     nil to leave it. It is called again when a program that takes no lock has changed the file
  ///     meanwhile. It may take no lock on the same file.
  /// - Returns: The state of the file after the change; nil where there is still none.
  /// - Throws: An error of the file, ``FileSystemError/lockTimeout(waited:)`` among them, or what `body`
  ///   throws.
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

  /// Changes the file in the same way, for somebody who knows what it held before.
  ///
  /// - Parameters:
  ///   - known: What it held; where it still does, it is not read.
  ///   - body: Gets what is found now, and gives what it shall hold, nil to leave it.
  /// - Returns: What the file holds after the change; nil where there is still none.
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

  /// Gives a path new content, whatever it holds. What is there and is no file, such as a terminal or a
  /// pipe, is written to.
  package static func write(_ data: Data, to path: String) throws(FileSystemError) {
    var information = stat()
    if stat(path, &information) == 0, [S_IFCHR, S_IFIFO].contains(information.st_mode & S_IFMT) {
      return try Descriptor.open(path, flags: O_WRONLY | O_NOCTTY).writeAll(data)
    }
    let file = try AtomicFile(path)
    try file.withLock(timeout: .seconds(10), keepingLockFile: false) { () throws(FileSystemError) in
      for _ in 0..<attempts {
        if try file.replace(try file.identity(), with: data, isPrivate: false) != nil { return }
      }
      throw keepsChanging
    }
  }

  static let keepsChanging = FileSystemError(.replaceChangingFile, code: EAGAIN)

  /// Gives the file another name in the same folder, under its lock.
  ///
  /// - Parameters:
  ///   - suffix: What to add to its name. Where such a file exists, a number follows.
  ///   - condition: Whether to do so after all, asked once no other process changes the file.
  /// - Returns: The new name; nil where there is no file or the condition does not hold.
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

  /// The path of another file of the same folder.
  package func sibling(_ name: String) -> String {
    String(decoding: path.utf8.dropLast(self.name.utf8.count), as: UTF8.self) + name
  }

  /// Does something while no other process changes the file.
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

  func lock(timeout: Duration) throws(FileSystemError) -> FileLock {
    try FileLock(on: name, in: folder, like: try folder.information(on: name), timeout: timeout)
  }

  /// Brings the file to the disk as it is: who wrote it may not have, or may have been killed before.
  func synchronize() throws(FileSystemError) {
    try folder.open(name, flags: O_RDONLY | O_NONBLOCK).synchronize()
    try folder.synchronize()
  }

  /// Replaces the file where it is still in the state that is given, nil for none.
  ///
  /// - Returns: Its new state; nil where it was in another.
  func replace(
    _ expected: FileIdentity?, with data: Data, isPrivate: Bool
  ) throws(FileSystemError) -> FileIdentity? {
    let existing = try folder.information(on: name)
    guard existing.map({ FileIdentity($0) }) == expected else { return nil }
    if let existing { try Self.checkRegular(existing, to: .replaceSpecialFile) }

    // Only the holder of the lock uses this name; what is there is left from one that was killed.
    let temporaryName = FileName.make(".", name, ".new")
    let file: Descriptor
    do throws(FileSystemError) {
      try folder.remove(temporaryName)
      file = try folder.open(
        temporaryName, flags: O_RDWR | O_CREAT | O_EXCL,
        mode: existing == nil && !isPrivate ? 0o666 : 0o600)
    } catch {
      throw error.during(.createTemporaryFile)
    }
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
      // Where somebody has removed the lock's file there can be two holders of the lock.
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
}

extension AtomicFile {
  /// Makes the folder of a path, and those on the way to it, for their owner alone.
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
    // The name of the new folder has to outlast a crash like what will be in it.
    try Folder(folder + "/..").synchronize()
  }
}
