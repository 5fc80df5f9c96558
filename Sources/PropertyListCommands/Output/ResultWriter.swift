internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// Encodes the results of a command line.
struct ResultWriter {
  let format: OutputFormat
  /// The options for property lists.
  var options = PlistWriteOptions()
  /// Whether raw text on standard output is followed by a newline, and edited JSON may end with one.
  private let endsLine: Bool
  /// The input of the value, which gives its name in source code.
  private let source: InputFile
  /// Whether an Objective-C header file is requested.
  private let hasHeader: Bool

  /// A writer for a format, with the options of a command line.
  init(
    _ format: OutputFormat, for invocation: Invocation,
    source: InputFile = InputFile(operand: "-")
  ) {
    self.format = format
    self.source = source
    hasHeader = invocation.has(Plutil.Option.header)
    if invocation.has(Plutil.Option.readable) { options.printPretty() }
    options.allowsLossyConversion = invocation.has(Plutil.Option.lossy)
    endsLine = !invocation.has(Plutil.Option.noNewline)
  }

  /// An encoded value.
  struct Result {
    var data: Data
    /// The warnings about values that the format does not represent exactly.
    var warnings: [String] = []
    /// The header file, if one is requested.
    var header: Data?
    /// Whether the data is binary, and not text.
    var isBinary = false
    /// Whether the data is a line of output, and not a document.
    var isLine = false
  }

  /// Encodes a value.
  ///
  /// - Throws: An error for a value that the format cannot hold.
  func result(of value: PlistValue) throws -> Result {
    switch format {
    case .propertyList(let format):
      let output: EncodedPlist
      do throws(PlistError) {
        output = try EncodedPlist(value, as: format, options: options)
      } catch {
        throw InvalidObject(error) ?? error as any Error
      }
      return Result(
        data: output.data, warnings: output.warnings, isBinary: format == .binary)
    case .literal(.swift):
      return Result(data: Data(try SwiftLiteral.source(of: value, from: source).utf8))
    case .literal(.objectiveC):
      let code = try ObjectiveCLiteral.source(of: value, from: source)
      let header = hasHeader ? ObjectiveCLiteral.header(of: value, from: source) : nil
      return Result(data: Data(code.utf8), header: header.map { Data($0.utf8) })
    case .raw:
      return result(ofText: Self.rawText(of: value))
    }
  }

  /// Edits a document, and encodes it as it was.
  ///
  /// - Throws: An error for a value that the format cannot hold, or the edit's own.
  func result(
    editing document: EditedPlistDocument,
    _ edit: (inout EditedPlistDocument) throws(PlistEditError) -> Void
  ) throws -> Result {
    let output: EncodedPlist
    do throws(PlistEditError) {
      output = try EncodedPlist(editing: document, options: options, edit)
    } catch {
      guard let unwritable = error.unwritable else { throw error }
      throw InvalidObject(unwritable) ?? unwritable as any Error
    }
    var data = output.data
    if !endsLine, document.format == .json, data.last == UInt8(ascii: "\n") { data.removeLast() }
    return Result(data: data, warnings: output.warnings)
  }

  /// The error for a value that the format cannot represent, in words that scripts look for.
  private struct InvalidObject: Error, CustomStringConvertible {
    let description: String

    init?(_ error: PlistError) {
      switch error.kind {
      case .unrepresentableKind, .notFinite:
        description = "invalid object in plist for destination format: \(error)"
      default: return nil
      }
    }
  }

  /// Encodes a text without quotes or markup.
  func result(ofText text: String) -> Result {
    Result(data: Data(text.utf8), isLine: endsLine)
  }

  /// Encodes values without quotes or markup, one after the other.
  func result(ofRawValues values: [PlistValue]) -> Result {
    result(ofText: values.map(Self.rawText).joined(separator: "\n"))
  }

  private static func rawText(of value: PlistValue) -> String {
    switch value {
    case .dictionary(let dictionary): dictionary.naturallySortedKeys.joined(separator: "\n")
    case .array(let elements), .set(let elements): String(elements.count)
    case .string(let string): string
    case .integer(let number): String(number)
    case .unsignedInteger(let number): String(number)
    case .real(let number): number.sixDecimals ?? number.description
    case .float(let number): number.sixDecimals ?? number.description
    case .boolean(let boolean): boolean ? "true" : "false"
    case .date(let date): date.propertyListText ?? String(date.timeIntervalSinceReferenceDate)
    case .data(let data): data.base64EncodedString()
    case .uid(let uid): String(uid)
    case .null: "null"
    }
  }
}
