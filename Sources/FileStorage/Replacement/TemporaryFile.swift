internal import Glibc

/// The file that will replace another file in the same folder. Each writer uses its own name: there
/// can be a second writer after the lock file was removed, and neither must remove or rename what
/// the other writes.
struct TemporaryFile: Sendable {
  private let file: OpenLockFile
  let name: String
  private let folder: Folder
  /// The identity of the file when it was created.
  let identity: FileIdentity

  var descriptor: Descriptor { file.descriptor }

  /// Creates the file, and removes files that a killed process has left.
  init(
    replacing target: String, in folder: Folder, mode: mode_t, lock: FolderLock
  ) throws(FileSystemError) {
    let (file, name) = try Self.create(replacing: target, in: folder, mode: mode, lock)
    do throws(FileSystemError) {
      identity = FileIdentity(try file.descriptor.information())
    } catch {
      try? folder.remove(name)
      throw error
    }
    (self.file, self.name, self.folder) = (file, name, folder)
  }

  private static func create(
    replacing target: String, in folder: Folder, mode: mode_t, _ lock: FolderLock
  ) throws(FileSystemError) -> (OpenLockFile, name: String) {
    do throws(FileSystemError) {
      let usual = FileName.make(".", target, ".new")
      let file = try lock.withLock { isLocked throws(FileSystemError) -> OpenLockFile? in
        if isLocked { return try createUsual(usual, in: folder, mode: mode) }
        removeLeftovers(of: target, in: folder)
        return nil
      }
      if let file { return (file, usual) }
      while true {
        let unique = uniqueName(for: target)
        if let file = try create(unique, in: folder, mode: mode) { return (file, unique) }
      }
    } catch {
      throw error.during(.createTemporaryFile)
    }
  }

  /// Returns whether the file, written to a size, still has its name.
  func isNamed(size: Int) throws(FileSystemError) -> Bool {
    try identity(of: name, size: size) != nil
  }

  /// Renames the file, written to a size; nil if another file has the new name afterwards.
  func rename(to newName: String, size: Int) throws(FileSystemError) -> FileIdentity? {
    try folder.rename(name, to: newName)
    return try identity(of: newName, size: size)
  }

  func remove() throws(FileSystemError) { try folder.remove(name) }

  /// Returns the identity of the file with a name, if it is this file and has a size.
  private func identity(of name: String, size: Int) throws(FileSystemError) -> FileIdentity? {
    guard let named = try FileLocation.name(name, in: folder).identity(),
      named.isSameFile(as: identity), named.size == size
    else { return nil }
    return named
  }

  /// Creates the file under the usual name, so that a leftover file is found; nil if another writer
  /// uses the name. The folder must be locked.
  private static func createUsual(
    _ name: String, in folder: Folder, mode: mode_t
  ) throws(FileSystemError) -> OpenLockFile? {
    if let file = try create(name, in: folder, mode: mode) { return file }
    guard isLeftover(name, in: folder) else { return nil }
    try folder.remove(name)
    return try create(name, in: folder, mode: mode)
  }

  /// Creates and locks a file; nil if there is one already.
  private static func create(
    _ name: String, in folder: Folder, mode: mode_t
  ) throws(FileSystemError) -> OpenLockFile? {
    do throws(FileSystemError) {
      let file = try OpenLockFile.open { isFirst throws(FileSystemError) in
        try folder.open(
          name, flags: isFirst ? O_RDWR | O_CREAT | O_EXCL : O_RDWR, mode: isFirst ? mode : 0)
      }
      // Shows that the file is in use, if the file system has such locks.
      flock(file.descriptor.number, LOCK_EX | LOCK_NB)
      return file
    } catch {
      guard error.code == EEXIST else { throw error }
      return nil
    }
  }

  /// Whether no process is writing a temporary file any more.
  private static func isLeftover(_ name: String, in folder: Folder) -> Bool {
    guard let file = try? folder.open(name, flags: O_RDONLY | O_NONBLOCK) else { return true }
    return flock(file.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  private static func uniqueName(for target: String) -> String {
    let digits = String(UInt64.random(in: 0...(.max)), radix: 16)
    let padding = String(repeating: "0", count: uniqueDigits - digits.utf8.count)
    return FileName.make(".", target, "-\(padding)\(digits).new")
  }

  private static let uniqueDigits = 16

  /// Removes files with unique names that no process is writing any more.
  private static func removeLeftovers(of target: String, in folder: Folder) {
    let sample = uniqueName(for: target).utf8
    let start = sample.dropLast(uniqueDigits + ".new".utf8.count)
    let names = try? FolderListing.files(in: folder) { name in
      let bytes = name.utf8
      let digits = bytes.dropFirst(start.count).dropLast(".new".utf8.count)
      return bytes.count == sample.count && bytes.starts(with: start) && name.hasSuffix(".new")
        && digits.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    }
    for name in names ?? [] where isLeftover(name, in: folder) { try? folder.remove(name) }
  }
}
