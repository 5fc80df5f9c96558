internal import FileStorage
internal import Glibc
internal import PropertyList
internal import Threading

/// The states of some folders, each checked once for all files in them.
struct FolderStates: Sendable {
  enum Folder {
    case present(device: UInt64, inode: UInt64)
    case missing
    /// The system reports an error, or the folder was not checked.
    case unknown
  }

  /// There are only a few, so a scan is faster than hashing.
  private var found: [(path: String, folder: Folder)] = []

  /// Checks folders, except those inside a missing folder.
  ///
  /// - Parameter paths: Absolute paths without a trailing slash.
  init(at paths: some Collection<String> = []) {
    for path in paths.sorted(by: { $0.utf8.count < $1.utf8.count }) where folder(at: path) == nil {
      found.append((path, isFolderMissing(of: path) ? .missing : Self.check(path)))
    }
  }

  func folder(of file: String) -> Folder {
    Self.path(ofFolderOf: file).flatMap(folder(at:)) ?? .unknown
  }

  private func folder(at path: String) -> Folder? {
    found.first { $0.path.hasSameBytes(as: path) }?.folder
  }

  func isFolderMissing(of file: String) -> Bool {
    if case .missing = folder(of: file) { true } else { false }
  }

  /// Returns the path of a file's folder; nil if the path has no slash.
  static func path(ofFolderOf file: String) -> String? { FilePath.split(file).folder }

  private static func check(_ path: String) -> Folder {
    var information = stat()
    // The slash excludes files.
    guard ForkGate.shared.allowingForks({ stat(path + "/", &information) }) == 0 else {
      return errno == ENOENT || errno == ENOTDIR ? .missing : .unknown
    }
    return .present(device: UInt64(information.st_dev), inode: UInt64(information.st_ino))
  }
}
