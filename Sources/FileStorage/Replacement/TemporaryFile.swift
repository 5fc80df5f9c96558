internal import Glibc

/// The file that is to replace another, in the same folder.
///
/// Its name is its own: a second writer of the same file, which there can be after the lock file
/// was removed, takes another name, so that neither removes or renames what the other writes.
struct TemporaryFile: ~Copyable {
  private let file: OpenLockFile
  let name: String
  private let folder: Folder

  var descriptor: Descriptor { file.descriptor }

  /// Creates the file, and removes what a process that was killed has left.
  init(replacing target: String, in folder: Folder, mode: mode_t) throws(FileSystemError) {
    self.folder = folder
    do throws(FileSystemError) {
      let usual = FileName.make(".", target, ".new")
      let file = try folder.withLock { isLocked throws(FileSystemError) -> OpenLockFile? in
        if isLocked { return try Self.createUsual(usual, in: folder, mode: mode) }
        Self.removeLeftovers(of: target, in: folder)
        return nil
      }
      if let file {
        (self.file, name) = (file, usual)
        return
      }
      while true {
        let unique = Self.uniqueName(for: target)
        guard let file = try Self.create(unique, in: folder, mode: mode) else { continue }
        (self.file, name) = (file, unique)
        return
      }
    } catch {
      throw error.during(.createTemporaryFile)
    }
  }

  /// Returns whether the file is still the one that has its name.
  func isNamed() throws(FileSystemError) -> Bool { try isNamed(name) }

  /// Renames the file.
  ///
  /// - Returns: Whether it is the file of the new name afterwards.
  func rename(to newName: String) throws(FileSystemError) -> Bool {
    try folder.rename(name, to: newName)
    return try isNamed(newName)
  }

  /// Removes the file.
  func remove() throws(FileSystemError) { try folder.remove(name) }

  private func isNamed(_ name: String) throws(FileSystemError) -> Bool {
    let named = try folder.information(on: name).map { FileIdentity($0) }
    let own = FileIdentity(try descriptor.information())
    return named.map { $0.isSameFile(as: own) && $0.size == own.size } ?? false
  }

  // MARK: Names

  /// Creates the file under the name that is always the same, so that one that was left is found.
  /// The folder must be locked.
  ///
  /// - Returns: Nil if another writer uses the name.
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
      // Shows that it is in use, where the file system has such locks.
      flock(file.descriptor.number, LOCK_EX | LOCK_NB)
      return file
    } catch {
      guard error.code == EEXIST else { throw error }
      return nil
    }
  }

  /// Whether no process writes a temporary file any longer.
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

  /// Removes files of unique names that no process writes any longer.
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
