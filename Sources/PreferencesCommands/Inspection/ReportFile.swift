internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc

/// The place to which a page is written, which is no file of preferences.
struct ReportFile {
  /// The file; nil for standard output.
  private let path: String?
  /// Whether the command line names the file, which is then replaced if it exists.
  private let isNamed: Bool

  /// The file that `-o` names, `-` for standard output; without one, standard output unless that is a
  /// terminal, and otherwise a new file in the working directory.
  init(_ option: String?) {
    isNamed = option != nil
    path =
      switch option {
      case "-": nil
      case let option?: option
      case nil: isatty(STDOUT_FILENO) == 0 ? nil : "report.html"
      }
  }

  /// Refuses a property list, and a file that exists and is not named.
  func check() throws {
    guard let path else { return }
    if Self.target(of: path).utf8.reversed().starts(with: ".plist".utf8.reversed()) {
      throw UsageError("\(path) is a property list, which a page does not replace")
    }
    var information = stat()
    guard lstat(path, &information) == 0 else { return }
    if !isNamed {
      throw CommandFailure("\(path): file already exists; use -o \(path) to replace it")
    }
    // It may lead to where preferences belong.
    if information.st_mode & S_IFMT == S_IFLNK, stat(path, &information) != 0 {
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

  func write(_ page: Data, in session: Session) throws(CommandFailure) {
    guard let path else { return session.write(page) }
    do throws(FileSystemError) {
      try AtomicFile.write(page, to: path)
    } catch {
      throw CommandFailure("\(path): \(error)")
    }
    if !isNamed { session.note("\(path): written; open it in a browser") }
  }
}
