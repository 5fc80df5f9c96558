internal import FileStorage
package import FoundationEssentials
internal import Glibc

/// A place that output goes to. A new one is a case here, and the compiler lists what it needs.
package enum OutputPlace: Equatable {
  /// Standard output. A terminal gets binary data only if `-o -` requests it.
  case standardOutput(isRequested: Bool)
  /// A file, which is replaced if it exists.
  case file(String)
  /// A file that must not exist and that the command line does not name, and what to do if it
  /// exists.
  case newFile(String, remedy: String)

  /// The place of a page for browsers: the file that `-o` names, `-` for standard output; without one,
  /// standard output unless that is a terminal, and otherwise a new file in the working directory.
  package init(ofPage option: String?) {
    switch option {
    case "-": self = .standardOutput(isRequested: true)
    case let path?: self = .file(path)
    case nil where isatty(STDOUT_FILENO) == 0: self = .standardOutput(isRequested: true)
    case nil: self = .newFile("report.html", remedy: "use -o report.html to replace it")
    }
  }

  /// The path of the file; nil for standard output.
  package var path: String? {
    switch self {
    case .standardOutput: nil
    case .file(let path), .newFile(let path, _): path
    }
  }

  /// Reports a file that exists and must not; false if there is one.
  package func checkIsFree(in session: Session) -> Bool {
    do { try checkIsFree() } catch {
      session.report("\(error)", about: path)
      return false
    }
    return true
  }

  private func checkIsFree() throws {
    guard case .newFile(let path, let remedy) = self else { return }
    var information = stat()
    // A dangling link also exists.
    guard lstat(path, &information) == 0 else { return }
    if information.st_mode & S_IFMT == S_IFDIR { throw FileSystemError(.create, code: EISDIR) }
    throw Self.existingFile(remedy)
  }

  /// The error for an existing file that is not replaced.
  private static func existingFile(_ remedy: String) -> CommandFailure {
    CommandFailure("file already exists; \(remedy)")
  }

  /// Writes data, a line with a line feed behind it, or reports why it cannot; false after a
  /// report. Standard output reports its errors itself.
  @discardableResult
  package func write(
    _ data: Data, isBinary: Bool = false, isLine: Bool = false, in session: Session
  ) -> Bool {
    do {
      switch self {
      case .standardOutput(let isRequested):
        guard isRequested || !isBinary || isatty(STDOUT_FILENO) == 0 else {
          session.report("binary output is not written to a terminal; use -o - to write it anyway")
          return false
        }
        session.write(isLine ? data + [UInt8(ascii: "\n")] : data)
      case .file(let path): try AtomicFile.write(data, to: path)
      case .newFile(let path, let remedy):
        try checkIsFree()
        // Another program may have created it by now.
        try AtomicFile(path).update { (present) throws(CommandFailure) in
          guard case .missing = present else { throw Self.existingFile(remedy) }
          return data
        }
      }
      return true
    } catch {
      session.report("\(error)", about: path)
      return false
    }
  }

  /// Writes a page for browsers, and says where it is if the command line does not.
  package func write(page: [UInt8], isSilent: Bool = false, in session: Session) {
    guard write(Data(page), in: session), !isSilent, case .newFile(let path, _) = self else {
      return
    }
    session.note("\(path): written; open it in a browser")
  }
}
