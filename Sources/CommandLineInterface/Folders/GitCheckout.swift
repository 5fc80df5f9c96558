internal import FileStorage
internal import PropertyList

/// The files of a checkout of git.
enum GitCheckout {
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
