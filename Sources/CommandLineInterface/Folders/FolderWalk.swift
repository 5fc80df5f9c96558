internal import FileStorage
internal import Glibc
internal import PropertyList

/// The regular files in a folder and the folders in it. Symbolic links are not followed.
package struct FolderWalk {
  /// The paths of the files, beginning with that of the folder, sorted by their bytes.
  package private(set) var paths: [String] = []
  /// The folders that cannot be listed, with the errors.
  package private(set) var failures: [(path: String, message: String)] = []

  private let isWhole: Bool
  private var folders: [String]

  /// Lists the files of a folder: in a checkout of git those that it tracks or does not ignore,
  /// elsewhere all of them.
  ///
  /// - Parameter isWhole: Whether all files of a checkout are listed, except those in `.git`.
  package init(_ folder: String, isWhole: Bool) {
    self.isWhole = isWhole
    var folder = folder
    while folder.utf8.count > 1, folder.utf8.last == UInt8(ascii: "/") { folder.removeLast() }
    folders = [folder]
    if !isWhole, GitCheckout.contains(folder) {
      folders = []
      add(checkout: folder)
    }
    while let next = folders.popLast() { add(folder: next) }
    paths.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private mutating func add(checkout folder: String) {
    // Where git names no file, the folder itself may be ignored, and is meant nevertheless.
    guard let names = GitCheckout.files(in: folder), !names.isEmpty else {
      return folders.append(folder)
    }
    for name in names {
      let path = FilePath.joining(folder, name)
      var information = stat()
      // A file that git tracks may have been removed.
      guard lstat(path, &information) == 0 else {
        // The error of a name that is not UTF-8 is that of reading the file.
        if name.unicodeScalars.contains("\u{FFFD}") { paths.append(path) }
        continue
      }
      switch information.st_mode & S_IFMT {
      case S_IFREG: paths.append(path)
      case S_IFDIR: add(checkout: name.hasSuffix("/") ? String(path.dropLast()) : path)
      default: break
      }
    }
  }

  private mutating func add(folder: String) {
    do throws(FileSystemError) {
      for entry in try FolderListing.entries(in: folder) {
        let path = FilePath.joining(folder, entry.name)
        switch entry.kind {
        case .file: paths.append(path)
        case .folder where entry.name != ".git": folders.append(path)
        case .folder, .other: break
        }
      }
    } catch {
      failures.append((folder, "\(error)"))
    }
  }
}

/// The files of a checkout of git.
private enum GitCheckout {
  /// Whether a folder is in a checkout.
  static func contains(_ folder: String) -> Bool {
    guard var path = try? FilePath.resolved(folder) else { return false }
    while true {
      if FolderListing.kind(of: path == "/" ? "/.git" : path + "/.git") != nil { return true }
      guard path != "/", let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
        return false
      }
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
  }

  /// Returns the paths, relative to a folder, of the files in it that git tracks, and of those that
  /// it does not ignore; nil if git is missing or fails. A path that ends with a slash is that of a
  /// checkout in the checkout.
  static func files(in folder: String) -> [String]? {
    // A hook of git has variables that name another checkout. A checkout from elsewhere may name a
    // program as its monitor of files.
    let unset = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"]
    let words =
      ["env"] + unset.flatMap { ["-u", $0] } + ["git", "-c", "core.fsmonitor=false", "-C", folder]
      + ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    guard let output = ProgramOutput.run(words, limit: 1 << 30) else { return nil }
    // A file with a conflict is listed for each of its versions.
    return output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.uniqueByBytes
  }
}
