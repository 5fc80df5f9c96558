internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials

/// Where a result goes.
enum Destination: Equatable {
  case standardOutput
  case file(String)

  /// The destination of an input's result, by `-o` and `-e`.
  ///
  /// - Parameter inPlace: Whether the input is where the result goes by default; otherwise that is
  ///   standard output.
  init(of input: InputFile, for invocation: Invocation, inPlace: Bool) throws(UsageError) {
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
      guard let first = ending.utf8.first, first != UInt8(ascii: "."),
        !ending.utf8.contains(UInt8(ascii: "/"))
      else { throw UsageError("-e needs an extension such as plist") }
      let path = Self.path(input.operand, withExtension: ending)
      guard inPlace || path != input.operand else {
        throw UsageError("-e \(ending) would replace \(path) itself")
      }
      self = .file(path)
    case (nil, nil):
      self = inPlace && !input.isStandardInput ? .file(input.operand) : .standardOutput
    }
  }

  /// Delivers the result, or reports why it cannot.
  func deliver(_ data: Data, in session: Session) {
    switch self {
    case .standardOutput:
      session.put(data)
    case .file(let path):
      do {
        try AtomicFile.write(data, to: path)
      } catch {
        session.report("\(error)", about: path)
      }
    }
  }

  /// The path with the extension of its last component replaced, or added where it has none.
  private static func path(_ path: String, withExtension ending: String) -> String {
    // By bytes: together with a combining mark a slash would be another character.
    let bytes = path.utf8
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    let nameStart = slash.map { bytes.index(after: $0) } ?? bytes.startIndex
    // The dot of `.profile` begins a name, not an extension.
    guard let dot = bytes[nameStart...].lastIndex(of: UInt8(ascii: ".")), dot != nameStart else {
      return "\(path).\(ending)"
    }
    return String(path[..<dot]) + "." + ending
  }
}
