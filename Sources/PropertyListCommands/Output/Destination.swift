internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc

/// The destination of a result.
enum Destination: Equatable {
  /// Standard output.
  ///
  /// - Parameter isRequested: Whether `-o -` names it. Otherwise a terminal gets no binary data.
  case standardOutput(isRequested: Bool)
  /// A file, which is replaced if it exists.
  case file(String)
  /// A file that the command line does not name as the output, and that must not exist.
  ///
  /// - Parameter remedy: What the user can do if it does.
  case newFile(String, remedy: String)

  /// The destination of a verb's results unless `-o` or `-e` is given.
  enum Default: Equatable {
    /// The input file itself; standard output for standard input.
    case inPlace
    case standardOutput
    /// A file beside the input, with this extension; standard output for standard input.
    case beside(String)
    /// The operand, which must not exist; standard output for `-`.
    case created
  }

  /// The destination of an input's result.
  init(
    of input: InputFile, for invocation: Invocation, default: Default
  ) throws(UsageError) {
    let output = invocation.argument(of: Plutil.Option.output)
    let ending = invocation.argument(of: Plutil.Option.ending)
    switch (output, ending) {
    case (.some, .some):
      throw UsageError("-o and -e cannot be used together")
    case ("-", nil):
      self = .standardOutput(isRequested: true)
    case (let path?, nil):
      guard invocation.operands.count == 1 else {
        throw UsageError("-o can only be used with one file; found \(invocation.operands.count)")
      }
      self = .file(path)
    case (nil, let ending?):
      guard !input.isStandardInput else {
        throw UsageError("-e cannot be used with standard input; use -o to choose the output")
      }
      guard !input.isStream else { throw Self.noPlace(beside: input) }
      guard let first = ending.utf8.first, first != UInt8(ascii: "."),
        !ending.utf8.contains(UInt8(ascii: "/"))
      else { throw UsageError("-e needs an extension without a dot or slash, such as plist") }
      self = .file(Self.path(input.operand, withExtension: ending))
    case (nil, nil):
      switch `default` {
      case _ where input.isStandardInput: self = .standardOutput(isRequested: false)
      case .inPlace: self = .file(input.operand)
      case .standardOutput: self = .standardOutput(isRequested: false)
      case .beside where input.isStream: throw Self.noPlace(beside: input)
      case .beside(let ending): self = .unnamed(Self.path(input.operand, withExtension: ending))
      case .created: self = input.isStream ? .file(input.operand) : .unnamed(input.operand)
      }
    }
  }

  private static func noPlace(beside input: InputFile) -> UsageError {
    UsageError("\(input.name) is not a regular file; use -o to choose the output")
  }

  /// A new file that `-o` could name.
  private static func unnamed(_ path: String) -> Destination {
    .newFile(path, remedy: "use -o \(path) to replace it")
  }

  /// The destination of a header file that belongs to this source file; nil for standard output,
  /// devices and descriptors.
  var header: Destination? {
    guard let path, SpecialFile(path) == nil else { return nil }
    return .newFile(
      Self.path(path, withExtension: "h"), remedy: "remove it first to write it again")
  }

  /// The path of the file; nil for standard output.
  var path: String? {
    switch self {
    case .standardOutput: nil
    case .file(let path), .newFile(let path, _): path
    }
  }

  /// Throws an error if a file exists that must not.
  func checkIsFree() throws {
    guard case .newFile(let path, let remedy) = self else { return }
    var information = stat()
    // A link that leads nowhere exists, too.
    guard lstat(path, &information) == 0 else { return }
    if information.st_mode & S_IFMT == S_IFDIR {
      throw FileSystemError(.create, code: EISDIR)
    }
    throw ExistingFile(remedy: remedy)
  }

  /// The error for an existing file that is not replaced.
  private struct ExistingFile: Error, CustomStringConvertible {
    let remedy: String

    var description: String { "file already exists; \(remedy)" }
  }

  /// Writes the data of a result, without its header file, or reports why it cannot.
  ///
  /// - Returns: Whether there was no error. Standard output reports its errors itself.
  @discardableResult
  func write(_ result: ResultWriter.Result, in session: Session) -> Bool {
    let data = result.data
    do {
      switch self {
      case .standardOutput(let isRequested):
        guard isRequested || !result.isBinary || isatty(STDOUT_FILENO) == 0 else {
          session.report(
            "binary output is not written to a terminal; use -o - to write it anyway")
          return false
        }
        session.write(result.isLine ? data + [UInt8(ascii: "\n")] : data)
      case .file(let path):
        try AtomicFile.write(data, to: path)
      case .newFile(let path, let remedy):
        try checkIsFree()
        // Another program may have created it by now.
        try AtomicFile(path).update { (present) throws(ExistingFile) in
          guard case .missing = present else { throw ExistingFile(remedy: remedy) }
          return data
        }
      }
      return true
    } catch {
      session.report("\(error)", about: path)
      return false
    }
  }

  /// The path with the extension of its last component replaced, or added if it has none.
  private static func path(_ path: String, withExtension ending: String) -> String {
    // By bytes, because a slash and a combining mark are one character.
    let bytes = path.utf8
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    let nameStart = slash.map { bytes.index(after: $0) } ?? bytes.startIndex
    // A leading dot, as in `.profile`, does not begin an extension.
    guard let dot = bytes[nameStart...].lastIndex(of: UInt8(ascii: ".")), dot != nameStart else {
      return "\(path).\(ending)"
    }
    return String(path[..<dot]) + "." + ending
  }
}
