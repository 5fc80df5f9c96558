internal import Glibc
internal import PropertyList
internal import Threading

/// The results of one look at each of some folders, for all files in them.
struct FolderLooks: Sendable {
  /// The result of a look at a folder.
  enum Folder {
    case present(device: UInt64, inode: UInt64)
    case missing
    /// The system does not tell, or the folder was not looked at.
    case unknown
  }

  /// The folders that were looked at: a few, which are found sooner than hashed.
  private var found: [(path: String, folder: Folder)] = []

  /// Looks at folders, but not at those within a folder that is missing.
  ///
  /// - Parameter paths: Absolute paths without a slash at the end.
  init(at paths: some Collection<String> = []) {
    for path in paths.sorted(by: { $0.utf8.count < $1.utf8.count }) where folder(at: path) == nil {
      found.append((path, isWithinMissing(path) ? .missing : Self.look(at: path)))
    }
  }

  /// The folder of a file.
  func folder(of file: String) -> Folder {
    Self.path(ofFolderOf: file).flatMap(folder(at:)) ?? .unknown
  }

  private func folder(at path: String) -> Folder? {
    found.first { $0.path.hasSameBytes(as: path) }?.folder
  }

  /// Whether a file is known to have no folder.
  func isFolderMissing(of file: String) -> Bool {
    if case .missing = folder(of: file) { true } else { false }
  }

  /// Returns the path of the folder of a file; nil if the path has no slash.
  static func path(ofFolderOf file: String) -> String? {
    guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return slash == file.startIndex ? "/" : String(file[..<slash])
  }

  private func isWithinMissing(_ path: String) -> Bool {
    Self.path(ofFolderOf: path).map { path in
      if case .missing = folder(at: path) { true } else { false }
    } ?? false
  }

  private static func look(at path: String) -> Folder {
    var information = stat()
    // The slash excludes files.
    guard ForkGate.shared.allowingForks({ stat(path + "/", &information) }) == 0 else {
      return errno == ENOENT || errno == ENOTDIR ? .missing : .unknown
    }
    return .present(device: UInt64(information.st_dev), inode: UInt64(information.st_ino))
  }
}
