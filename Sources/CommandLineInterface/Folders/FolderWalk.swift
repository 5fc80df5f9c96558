internal import FileStorage
internal import Glibc
internal import PropertyList

/// The regular files in a folder and its subfolders. Symbolic links are not followed.
package struct FolderWalk {
  /// The paths of the files, each beginning with the folder's path, sorted by their bytes.
  package private(set) var paths: [String] = []
  /// The folders that cannot be listed, with the errors.
  package private(set) var failures: [(path: String, message: String)] = []

  private let isWhole: Bool
  private var folders: [String]

  /// Lists the files of a folder: in a Git checkout those that Git tracks or does not ignore,
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
    // If git names no file, the folder itself may be ignored, but the command line asks for it.
    guard let names = GitCheckout.files(in: folder), !names.isEmpty else {
      return folders.append(folder)
    }
    for name in names {
      let path = FilePath.joining(folder, name)
      var information = stat()
      // A file that git tracks may have been removed.
      guard lstat(path, &information) == 0 else {
        // For a name that is not UTF-8, reading the file reports the error.
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
  static func contains(_ folder: String) -> Bool {
    guard var path = try? FilePath.resolved(folder) else { return false }
    while true {
      if FolderListing.kind(of: FilePath.joining(path, ".git")) != nil { return true }
      guard path != "/", let folder = FilePath.split(path).folder else { return false }
      path = folder
    }
  }

  /// Returns the paths, relative to a folder, of the files in it that git tracks or does not
  /// ignore; nil if git is missing or fails. A path that ends with a slash is a nested checkout.
  static func files(in folder: String) -> [String]? {
    // Git hooks run with variables that name another checkout. The configuration of an untrusted
    // checkout may name a program as its file-system monitor.
    let unset = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"]
    let words =
      ["env"] + unset.flatMap { ["-u", $0] } + ["git", "-c", "core.fsmonitor=false", "-C", folder]
      + ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    guard let output = ProgramOutput.run(words, limit: 1 << 30) else { return nil }
    // A file with a conflict is listed for each of its versions.
    return output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.uniqueByBytes
  }
}
