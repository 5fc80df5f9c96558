internal import Glibc
internal import Threading

/// How a file is found.
enum FileLocation: Sendable {
  /// A path, whose symbolic links are followed at each access.
  case path(String)
  /// A name in a folder, where a symbolic link is not followed.
  case name(String, in: Folder)

  private func open() throws(FileSystemError) -> Descriptor {
    let flags = O_RDONLY | O_NONBLOCK
    switch self {
    case .path(let path): return try Descriptor.open(path, flags: flags)
    case .name(let name, let folder): return try folder.open(name, flags: flags)
    }
  }

  private func information() throws(FileSystemError) -> stat? {
    guard case .path(let path) = self else {
      guard case .name(let name, let folder) = self else { return nil }
      return try folder.information(on: name)
    }
    var information = stat()
    if ForkGate.shared.allowingForks({ stat(path, &information) }) == 0 { return information }
    let error = FileSystemError(.inspect)
    guard error.isMissing else { throw error }
    return nil
  }

  func identity() throws(FileSystemError) -> FileIdentity? {
    let clock = FileClock.now()
    return try information().map { FileIdentity($0, clock: clock) }
  }

  /// Reads as ``AtomicFile/read(limit:)`` does.
  func read(limit: Int) throws(FileSystemError) -> FileContents? {
    try withStableFile { (file, identity) throws(FileSystemError) in
      FileContents(
        data: try file.readAll(limit: limit, size: Int(identity.size), isExact: true),
        identity: identity)
    }
  }

  /// Reads as ``AtomicFile/readIfChanged(_:since:limit:)`` does, given the present identity if it
  /// is known. The bytes of a version whose identity is racy are compared on request.
  func readIfChanged(
    since known: FileVersion?, limit: Int, comparesBytes: Bool = true,
    present: FileIdentity? = nil
  ) throws(FileSystemError) -> ConditionalRead {
    if let known {
      var look = present
      if look == nil { look = try identity() }
      guard var present = look else { return .missing }
      let isRacy = known.identity.isRacy || FileClock.mayRepeat(known.identity.changed)
      if present == known.identity, !isRacy || !comparesBytes {
        present.isRacy = isRacy
        return .unchanged(FileVersion(identity: present, fingerprint: known.fingerprint))
      }
      if present.size == known.identity.size, known.fingerprint != nil {
        let version = try withStableFile { (file, identity) throws(FileSystemError) in
          FileVersion(identity: identity, fingerprint: try Fingerprint.hash(file))
        }
        if let version, version.fingerprint == known.fingerprint { return .unchanged(version) }
      }
    }
    return try read(limit: limit).map { .contents($0) } ?? .missing
  }

  /// Returns whether the file still holds a version, nil for none.
  func holds(_ expected: FileVersion?) throws(FileSystemError) -> Bool {
    guard let expected else { return try identity() == nil }
    let present = try readIfChanged(
      since: expected, limit: .max - 1, comparesBytes: expected.fingerprint != nil)
    guard case .unchanged(let version) = present else { return false }
    return version.identity == expected.identity
  }

  /// Calls the closure with the open file, again if the file has changed during the call; nil if it does
  /// not exist.
  private func withStableFile<Success>(
    _ body: (Descriptor, FileIdentity) throws(FileSystemError) -> Success
  ) throws(FileSystemError) -> Success? {
    for _ in 0..<AtomicFile.attempts {
      let file: Descriptor
      do throws(FileSystemError) {
        file = try open()
      } catch {
        if error.isMissing { return nil }
        throw error
      }
      let clock = FileClock.now()
      let before = try file.information()
      try AtomicFile.checkRegular(before.st_mode, for: .readSpecialFile)
      let identity = FileIdentity(before, clock: clock)
      let success = try body(file, identity)
      if try FileIdentity(file.information()) == identity { return success }
    }
    throw FileSystemError(.readChangingFile, code: EAGAIN)
  }
}
