internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// The formats that `-convert`, `-extract` and `-create` know, by their names on the command line.
enum FormatName {
  static func format(_ name: String) throws(UsageError) -> PlistFormat {
    switch name {
    case "xml1": return .xml
    case "binary1": return .binary
    default: throw UsageError("unknown format: \(name); expected xml1 or binary1")
    }
  }
}

/// An operand: a file, or standard input.
struct InputFile {
  let operand: String

  var isStandardInput: Bool { operand == "-" }

  /// What errors and results call it.
  var name: String { isStandardInput ? "<stdin>" : operand }

  /// Reads the property list, or reports why it cannot.
  func read(in session: Session) -> PlistDocument? {
    let options = PlistReadOptions()
    // One byte beyond the limit lets the reader see that there is more.
    let limit = options.limits.size + 1
    let data: Data
    do throws(SystemError) {
      data =
        isStandardInput
        ? try Descriptor.standardInput.readAll(limit: limit)
        : try AtomicFile.read(operand, limit: limit)
    } catch {
      session.report("\(error)", about: name)
      return nil
    }
    do throws(PlistError) {
      return try PropertyList.read(data, options: options)
    } catch {
      session.report("\(error)", about: name)
      return nil
    }
  }
}

/// Where a result goes.
enum Destination {
  case standardOutput
  case file(String)

  /// The destination of an input's result, by `-o` and `-e`.
  ///
  /// - Parameter inPlace: Whether the input is where the result goes by default; otherwise that is
  ///   standard output.
  init(of input: InputFile, for invocation: Invocation, inPlace: Bool) throws(UsageError) {
    let output = invocation.options[PropertyListTool.Option.output.name]
    let ending = invocation.options[PropertyListTool.Option.ending.name]
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
      guard !ending.isEmpty, !ending.contains("/") else {
        throw UsageError("-e needs an extension such as plist")
      }
      self = .file(Self.path(input.operand, withExtension: ending))
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
      do throws(SystemError) {
        try AtomicFile.replace(path, with: data)
      } catch {
        session.report("\(error)", about: path)
      }
    }
  }

  /// The path with the extension of its last component replaced, or added where it has none.
  private static func path(_ path: String, withExtension ending: String) -> String {
    let nameStart = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let name = path[nameStart...]
    // The dot of `.profile` begins a name, not an extension.
    guard let dot = name.lastIndex(of: "."), dot != nameStart else { return "\(path).\(ending)" }
    return path[..<dot] + "." + ending
  }
}
