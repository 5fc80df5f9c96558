internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// Makes the bytes of a result.
struct ResultWriter {
  let format: OutputFormat
  /// How a property list is written.
  var options = PlistWriteOptions()
  /// Whether raw text and JSON, which end without a newline, get one.
  private let endsLine: Bool
  /// Where values come from, which names them in source code.
  private let source: InputFile
  /// The name of the header file that declares a value of Objective-C, where one is asked for.
  private let header: String?

  /// A writer of a format, by the options of a command line.
  init(
    _ format: OutputFormat, for invocation: Invocation,
    source: InputFile = InputFile(operand: "-"), header: String? = nil
  ) {
    self.format = format
    self.source = source
    self.header = header
    options.rejectsFractionalSeconds = true
    options.isPrettyPrinted = invocation.has(PropertyListTool.Option.readable)
    options.allowsLossyConversion = invocation.has(PropertyListTool.Option.lossy)
    endsLine = !invocation.has(PropertyListTool.Option.noNewline)
  }

  /// What is written.
  struct Result {
    var data: Data
    /// Why a date is not exactly the same there, when it is not.
    var rounding: PlistError?
    /// The header file, where one is asked for.
    var header: Data?
  }

  /// The bytes of a value.
  ///
  /// - Throws: What the format cannot hold.
  func result(of value: PlistValue) throws -> Result {
    switch format {
    case .propertyList(let format):
      var result = try propertyList(value, as: format)
      if format == .json, endsLine { result.data.append(UInt8(ascii: "\n")) }
      return result
    case .literal(.swift):
      return Result(data: Data(try SwiftLiteral.source(of: value, from: source).utf8))
    case .literal(.objectiveC):
      let code = try ObjectiveCLiteral.source(of: value, from: source, header: header)
      let declaration = header.map { _ in ObjectiveCLiteral.header(of: value, from: source) }
      return Result(data: Data(code.utf8), header: declaration.map { Data($0.utf8) })
    case .raw:
      return Result(data: Data((Self.rawText(of: value) + (endsLine ? "\n" : "")).utf8))
    }
  }

  private func propertyList(
    _ value: PlistValue, as format: PlistFormat
  ) throws(PlistError) -> Result {
    do throws(PlistError) {
      return Result(data: try Plist.write(value, as: format, options: options))
    } catch {
      guard case .fractionalSeconds = error.kind else { throw error }
      var options = options
      options.rejectsFractionalSeconds = false
      let data = try Plist.write(value, as: format, options: options)
      return Result(data: data, rounding: error)
    }
  }

  private static func rawText(of value: PlistValue) -> String {
    switch value {
    case .dictionary(let dictionary): dictionary.sortedKeys.joined(separator: "\n")
    case .array(let elements), .set(let elements): String(elements.count)
    case .string(let string): string
    case .integer(let number): String(number)
    case .unsignedInteger(let number): String(number)
    case .real(let number): number.description
    case .float(let number): number.description
    case .boolean(let boolean): boolean ? "true" : "false"
    case .date(let date): date.propertyListText ?? String(date.timeIntervalSinceReferenceDate)
    case .data(let data): data.base64EncodedString()
    case .uid(let uid): String(uid)
    case .null: "null"
    }
  }
}
