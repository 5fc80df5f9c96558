internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials

/// The destination of a result.
enum Destination: Equatable {
  case standardOutput
  case file(String)

  /// The destination of a verb's results unless `-o` or `-e` is given.
  enum Default {
    /// The input file itself; standard output for standard input.
    case inPlace
    case standardOutput
    /// A file beside the input, with this extension; standard output for standard input.
    case beside(String)
  }

  /// The destination of an input's result.
  init(
    of input: InputFile, for invocation: Invocation, default: Default
  ) throws(UsageError) {
    let output = invocation.argument(of: PropertyListTool.Option.output)
    let ending = invocation.argument(of: PropertyListTool.Option.ending)
    switch (output, ending) {
    case (.some, .some):
      throw UsageError("-o and -e cannot be given together")
    case ("-", nil):
      self = .standardOutput
    case (let path?, nil):
      guard invocation.operands.count == 1 else {
        throw UsageError("-o takes the result of one file, not of \(invocation.operands.count)")
      }
      self = .file(path)
    case (nil, let ending?):
      guard !input.isStandardInput else {
        throw UsageError("-e names a file beside the input; standard input has none")
      }
      guard !input.isStream else { throw Self.noPlace(beside: input) }
      guard let first = ending.utf8.first, first != UInt8(ascii: "."),
        !ending.utf8.contains(UInt8(ascii: "/"))
      else { throw UsageError("-e needs an extension such as plist") }
      self = .file(Self.path(input.operand, withExtension: ending))
    case (nil, nil):
      switch `default` {
      case _ where input.isStandardInput: self = .standardOutput
      case .inPlace: self = .file(input.operand)
      case .standardOutput: self = .standardOutput
      case .beside where input.isStream: throw Self.noPlace(beside: input)
      case .beside(let ending): self = .file(Self.path(input.operand, withExtension: ending))
      }
    }
  }

  private static func noPlace(beside input: InputFile) -> UsageError {
    UsageError("there is no place beside \(input.name); -o says where the result goes")
  }

  /// The same path with another extension; nil for standard output, devices and descriptors.
  func withExtension(_ ending: String) -> Destination? {
    switch self {
    case .standardOutput: nil
    case .file(let path) where SpecialFile(path) != nil: nil
    case .file(let path): .file(Self.path(path, withExtension: ending))
    }
  }

  /// The name of the file, without its folder; nil for standard output.
  var name: String? {
    guard case .file(let path) = self else { return nil }
    return path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
  }

  /// Writes a result to the destination, or reports why it cannot.
  func write(_ data: Data, in session: Session) {
    switch self {
    case .standardOutput:
      session.write(data)
    case .file(let path):
      do {
        try AtomicFile.write(data, to: path)
      } catch {
        session.report("\(error)", about: path)
      }
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
