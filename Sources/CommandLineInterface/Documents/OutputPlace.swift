internal import FileStorage
package import FoundationEssentials
internal import Glibc
package import PropertyList

/// A place that output goes to. To add one, add a case here; the compiler then reports what else it
/// needs.
package enum OutputPlace: Equatable {
  /// Standard output. A terminal gets binary data only if `-o -` requests it.
  case standardOutput(isRequested: Bool)
  /// A file, which is replaced if it exists.
  case file(String)
  /// A file that must not exist and that the command line does not name, with advice for when it
  /// exists.
  case newFile(String, remedy: String)

  /// The place that a command line names: `-` is standard output.
  package init(named name: String) {
    self = name == "-" ? .standardOutput(isRequested: true) : .file(name)
  }

  /// The place of a page for browsers: the file that `-o` names, `-` for standard output; without one,
  /// standard output unless that is a terminal, and otherwise a new file in the working directory.
  package init(ofPage option: String?) {
    switch option {
    case let name?: self.init(named: name)
    case nil where isatty(STDOUT_FILENO) == 0: self = .standardOutput(isRequested: true)
    case nil: self = .newFile("report.html", remedy: "use -o report.html to replace it")
    }
  }

  package var path: String? {
    switch self {
    case .standardOutput: nil
    case .file(let path), .newFile(let path, _): path
    }
  }

  /// Refuses to replace a file that the output is made from, whatever name it has here.
  package func check(replacesNoneOf files: some Sequence<String>) throws(UsageError) {
    guard let path else { return }
    let target = Self.canonicalPath(of: path)
    for file in files where Self.canonicalPath(of: file) == target {
      throw Self.replacesInput(file)
    }
  }

  package static func replacesInput(_ name: String) -> UsageError {
    UsageError("the output would replace the input \(name); use -o to choose another file")
  }

  /// The canonical path of a file, which need not exist; the path itself if its folder does not
  /// exist.
  package static func canonicalPath(of path: String) -> ByteKey {
    if let resolved = try? FilePath.resolved(path) { return ByteKey(resolved) }
    let (folder, name) = FilePath.split(path)
    let resolved = try? FilePath.resolved(folder ?? ".")
    return ByteKey(resolved.map { FilePath.joining($0, name) } ?? path)
  }

  /// Reports a file that exists and must not; false if there is one.
  package func checkIsFree(in session: Session) -> Bool {
    session.reporting(about: path) { try checkIsFree() } != nil
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

  /// Writes data, followed by a line feed if it is one line, or reports why it cannot; false after
  /// a report. Standard output reports its errors itself.
  @discardableResult
  package func write(
    _ data: Data, isBinary: Bool = false, isLine: Bool = false, in session: Session
  ) -> Bool {
    let isWritten = session.reporting(about: path) {
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
    }
    return isWritten ?? false
  }

  /// Writes a page for browsers, and says where it is if the command line does not.
  package func write(page: [UInt8], isSilent: Bool = false, in session: Session) {
    guard write(Data(page), in: session), !isSilent, case .newFile(let path, _) = self else {
      return
    }
    session.note("\(path): written; open it in a browser")
  }
}
