internal import CommandLineInterface
internal import FileStorage
internal import Glibc

/// A page does not replace preferences.
extension OutputPlace {
  /// Refuses a property list, and a link that may lead to where preferences belong.
  func checkIsNoPropertyList() throws {
    guard let path else { return }
    if Self.target(of: path).utf8.reversed().starts(with: ".plist".utf8.reversed()) {
      throw UsageError("\(path) is a property list, which a page does not replace")
    }
    var information = stat()
    if case .file = self, lstat(path, &information) == 0,
      information.st_mode & S_IFMT == S_IFLNK, stat(path, &information) != 0
    {
      throw CommandFailure("\(path): a symbolic link that leads nowhere; expected a file")
    }
  }

  /// Refuses one of these files.
  func checkIsNone(of files: [String]) throws(UsageError) {
    guard let path else { return }
    let target = Self.target(of: path)
    for file in files where Self.target(of: file) == target {
      throw UsageError("\(path) has preferences, which a page does not replace")
    }
  }

  /// The absolute path without symbolic links.
  private static func target(of path: String) -> String {
    (try? FilePath.resolved(path)) ?? FilePath.absolute(path)
  }
}
