internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// The output for an input of a command line: where it goes, and how it is written. All outputs of
/// a command line are determined before anything is written.
struct Output {
  var input: InputFile
  let place: OutputPlace
  /// The place of the Objective-C header file; nil unless one is requested.
  let header: OutputPlace?
  /// The format; until the input has been read, XML for that of the input.
  var format: Format
  var options = PlistWriteOptions()
  /// Whether raw text on standard output is followed by a newline, and edited JSON may end with one.
  private let endsLine: Bool

  /// The outputs of a command line, one for each input.
  ///
  /// - Parameters:
  ///   - format: The format; nil for that of each input.
  ///   - default: The place unless `-o` or `-e` is given. Source code is never written in place, but
  ///     beside the input.
  static func all(
    of invocation: Invocation, format: Format? = nil, default: OutputPlace.Default
  ) throws(UsageError) -> [Output] {
    var placeByDefault = `default`
    var isSource = false
    if case .literal(let language) = format {
      isSource = true
      if `default` == .inPlace { placeByDefault = .beside(language.fileExtension) }
    }
    var outputs: [Output] = []
    for input in try InputFile.all(of: invocation) {
      outputs.append(try Output(for: input, of: invocation, format, default: placeByDefault))
    }
    // Neither source code nor a part of a property list may replace its input.
    let isPart = `default` == .standardOutput && invocation.has(Plutil.Option.ending)
    try checkTargets(of: outputs, mayReplaceInputs: `default` == .created || !isSource && !isPart)
    // Nothing would separate several property lists.
    let count = outputs.count { $0.place.path == nil }
    if count > 1, format != .raw {
      throw UsageError("standard output can only take the result of one file; found \(count)")
    }
    return outputs
  }

  private init(
    for input: InputFile, of invocation: Invocation, _ format: Format?, default: OutputPlace.Default
  ) throws(UsageError) {
    self.input = input
    self.format = format ?? .propertyList(.xml)
    place = try OutputPlace(of: input, for: invocation, default: `default`)
    header = try Self.header(for: invocation, format: format, beside: place)
    if invocation.has(Plutil.Option.readable) { options.printPretty() }
    options.allowsLossyConversion = invocation.has(Plutil.Option.lossy)
    endsLine = !invocation.has(Plutil.Option.noNewline)
  }

  private static func header(
    for invocation: Invocation, format: Format?, beside place: OutputPlace
  ) throws(UsageError) -> OutputPlace? {
    guard invocation.has(Plutil.Option.header) else { return nil }
    guard format == .literal(.objectiveC) else {
      throw UsageError("-header can only be used with objc")
    }
    guard let header = place.header else {
      let name = place.path ?? "standard output"
      throw UsageError("-header needs a regular file for the source; \(name) is not one")
    }
    return header
  }

  /// Rejects outputs that would replace one another, or the input of another one.
  private static func checkTargets(
    of outputs: [Output], mayReplaceInputs: Bool
  ) throws(UsageError) {
    let sources = outputs.map {
      $0.input.isStandardInput ? nil : canonicalPath(of: $0.input.operand)
    }
    var writers: [ByteKey: Int] = [:]
    for (number, output) in outputs.enumerated() {
      for path in [output.place.path, output.header?.path].compactMap(\.self) {
        let target = canonicalPath(of: path)
        if !mayReplaceInputs, let replaced = sources.firstIndex(of: target) {
          throw UsageError(
            "the output would replace the input \(outputs[replaced].input.name); "
              + "use -o to choose another file")
        }
        let other = writers.updateValue(number, forKey: target)
        if let other, other == number || sources[other] != sources[number] {
          throw UsageError("\(path) would be written twice")
        }
      }
    }
  }

  /// Rejects command lines that name a file twice.
  static func checkInputsDiffer(_ outputs: [Output]) throws(UsageError) {
    var paths: Set<ByteKey> = []
    for input in outputs.map(\.input) where !input.isStandardInput {
      guard paths.insert(canonicalPath(of: input.operand)).inserted else {
        throw UsageError("\(input.name) was given twice")
      }
    }
  }

  /// The canonical path of a file, which need not exist; the path itself if its folder does not
  /// exist.
  static func canonicalPath(of path: String) -> ByteKey { ByteKey(canonicalText(of: path)) }

  private static func canonicalText(of path: String) -> String {
    if let resolved = try? FilePath.resolved(path) { return resolved }
    let (folder, name) = FilePath.split(path)
    return (try? FilePath.resolved(folder ?? ".")).map { FilePath.joining($0, name) } ?? path
  }

  /// Reports a file that exists and must not be replaced; false if there is one.
  func checkIsFree(in session: Session) -> Bool {
    [place, header].allSatisfy { $0?.checkIsFree(in: session) ?? true }
  }

  /// Writes contents, and then their header file, or reports why it cannot.
  func write(_ contents: Contents, in session: Session) {
    let isWritten = place.write(
      contents.data, isBinary: contents.isBinary, isLine: contents.isLine, in: session)
    if isWritten, let data = contents.header { header?.write(data, in: session) }
  }

  struct Contents {
    var data: Data
    /// The warnings about values that the format does not represent exactly.
    var warnings: [String] = []
    var header: Data?
    /// Whether the data is binary, and not text.
    var isBinary = false
    /// Whether the data is a line of output, and not a document.
    var isLine = false
  }

  /// Encodes a value; throws for one that the format cannot hold.
  func contents(of value: PlistValue) throws -> Contents {
    switch format {
    case .propertyList(let format):
      let encoded: EncodedPlist
      do throws(PlistError) {
        encoded = try EncodedPlist(value, as: format, options: options)
      } catch {
        throw InvalidObject(error) ?? error as any Error
      }
      return Contents(data: encoded.data, warnings: encoded.warnings, isBinary: format == .binary)
    case .literal(.swift):
      return Contents(data: Data(try SwiftLiteral.source(of: value, from: input).utf8))
    case .literal(.objectiveC):
      let code = try ObjectiveCLiteral.source(of: value, from: input)
      let header = header.map { _ in ObjectiveCLiteral.header(of: value, from: input) }
      return Contents(data: Data(code.utf8), header: header.map { Data($0.utf8) })
    case .raw: return contents(ofRawValues: [value])
    }
  }

  /// Edits a document, and encodes it as it was; throws for a value that the format cannot hold.
  func contents(
    editing document: EditedPlistDocument,
    _ edit: (inout EditedPlistDocument) throws(PlistEditError) -> Void
  ) throws -> Contents {
    let encoded: EncodedPlist
    do throws(PlistEditError) {
      encoded = try EncodedPlist(editing: document, options: options, edit)
    } catch {
      guard let unwritable = error.unwritable else { throw error }
      throw InvalidObject(unwritable) ?? unwritable as any Error
    }
    var data = encoded.data
    if !endsLine, document.format == .json, data.last == UInt8(ascii: "\n") { data.removeLast() }
    return Contents(data: data, warnings: encoded.warnings)
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
  func contents(ofText text: String) -> Contents {
    Contents(data: Data(text.utf8), isLine: endsLine)
  }

  /// Encodes values without quotes or markup, one after the other.
  func contents(ofRawValues values: [PlistValue]) -> Contents {
    contents(ofText: values.map(Self.rawText).joined(separator: "\n"))
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

extension Output {
  /// An output format of `-convert`, `-extract` and `-create`.
  enum Format: Equatable {
    case propertyList(PlistFormat)
    case literal(LiteralLanguage)
    /// The text of a value without quotes or markup.
    case raw

    /// The formats that a verb accepts.
    enum Choice {
      /// The formats of property lists, and source code.
      case documents
      /// All of these, and raw text.
      case values

      fileprivate var others: [(name: String, format: Format)] {
        switch self {
        case .documents: [("swift", .literal(.swift)), ("objc", .literal(.objectiveC))]
        case .values: Self.documents.others + [("raw", .raw)]
        }
      }
    }

    static func names(of choice: Choice) -> [String] {
      PlistFormat.commandLineNames + choice.others.map(\.name)
    }

    init(_ name: String, of choice: Choice) throws(UsageError) {
      if let other = choice.others.first(where: { $0.name == name }) {
        self = other.format
      } else if let format = PlistFormat(commandLineName: name) {
        self = .propertyList(format)
      } else {
        throw UsageError(unknown: "format specifier", name, expected: Self.names(of: choice))
      }
    }
  }
}
