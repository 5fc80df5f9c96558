internal import FileStorage
internal import Glibc
internal import PropertyList

/// The backups that are made of a file before a migration.
extension DomainFile {
  private static func backupName(_ version: Int, of name: String) -> String {
    FileName.make("", name, ".version-\(version)")
  }

  /// Copies the bytes of the locked file. If another program changes them, the commit fails or
  /// begins again.
  func backUp(_ path: String, version: Int) throws(PreferencesError) {
    guard let data = try runtime.disk.read(path, since: nil).contents?.data else { return }
    let (folder, name) = FilePath.split(path)
    let backup = Self.backupName(version, of: name)
    try PreferencesError.wrapping(FilePath.joining(folder ?? ".", backup)) {
      () throws(FileSystemError) in
      // A link with the name of the copy could lead out of the folder.
      let place = FilePath.joining(try FilePath.resolved(folder ?? "."), backup)
      try AtomicFile.write(data, to: place, isPrivate: true, followingLinks: false)
    }
  }

  /// Removes all backups except the newest versions'. Backups that cannot be removed stay until the
  /// next migration.
  func removeBackups(keeping count: Int, of path: String) {
    let (folder, name) = FilePath.split(path)
    func version(of backup: String) -> Int? {
      guard let dash = backup.utf8.lastIndex(of: UInt8(ascii: "-")),
        let version = Int(backup[backup.utf8.index(after: dash)...]),
        Self.backupName(version, of: name).hasSameBytes(as: backup)
      else { return nil }
      return version
    }
    guard count > 0, let folder,
      let names = try? FolderListing.files(in: folder, where: { version(of: $0) != nil })
    else { return }
    for version in names.compactMap(version).sorted(by: >).dropFirst(count) {
      unlink(FilePath.joining(folder, Self.backupName(version, of: name)))
    }
  }
}
