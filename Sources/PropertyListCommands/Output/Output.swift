internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// The output for an input of a command line: where it goes, and how it is written. All outputs of
/// a command line are determined before anything is written.
struct Output {
  var input: InputFile
  let place: OutputPlace
  /// The place of the Objective-C header file; nil unless one is requested.
  let header: OutputPlace?
  /// The format. If it is the input's, this is XML until the input has been read.
  var format: Format
  var options = PlistWriteOptions()
  /// Whether raw text on standard output is followed by a newline, and edited JSON may end with one.
  private let endsLine: Bool

  /// The outputs of a command line, one for each input.
  ///
  /// - Parameters:
  ///   - format: The format; nil for the format of each input.
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
    let isPart = `default` == .standardOutput && invocation.has(.ending)
    try checkTargets(of: outputs, mayReplaceInputs: `default` == .created || !isSource && !isPart)
    // Several property lists would not be separated.
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
    if invocation.has(.readable) { options.printPretty() }
    options.allowsLossyConversion = invocation.has(.lossy)
    endsLine = !invocation.has(.noNewline)
  }

  private static func header(
    for invocation: Invocation, format: Format?, beside place: OutputPlace
  ) throws(UsageError) -> OutputPlace? {
    guard invocation.has(.header) else { return nil }
    guard format == .literal(.objectiveC) else {
      throw UsageError("-header can only be used with objc")
    }
    guard let header = place.header else {
      let name = place.path ?? "standard output"
      throw UsageError("-header needs a regular file for the source; \(name) is not one")
    }
    return header
  }

  private static func checkTargets(
    of outputs: [Output], mayReplaceInputs: Bool
  ) throws(UsageError) {
    let sources = outputs.map {
      $0.input.isStandardInput ? nil : OutputPlace.canonicalPath(of: $0.input.operand)
    }
    var writers: [ByteKey: Int] = [:]
    for (number, output) in outputs.enumerated() {
      for path in [output.place.path, output.header?.path].compactMap(\.self) {
        let target = OutputPlace.canonicalPath(of: path)
        if !mayReplaceInputs, let replaced = sources.firstIndex(of: target) {
          throw OutputPlace.replacesInput(outputs[replaced].input.name)
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
      guard paths.insert(OutputPlace.canonicalPath(of: input.operand)).inserted else {
        throw UsageError("\(input.name) was given twice")
      }
    }
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
    var isBinary = false
    /// Whether the data is a line of output, and not a document.
    var isLine = false
  }

  /// Encodes a value; throws if the format cannot represent it.
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

  /// Edits a document, and encodes it in the same way; throws for a value that the format cannot
  /// represent.
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

  /// The error for a value that the format cannot represent. Scripts may depend on its words.
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
    case .real(let number): number.sixDecimals ?? number.description
    case .float(let number): number.sixDecimals ?? number.description
    case .date(let date): date.propertyListText ?? String(date.timeIntervalSinceReferenceDate)
    case .data(let data): data.base64EncodedString()
    case .uid(let uid): String(uid)
    case .integer, .unsignedInteger, .boolean, .null: value.leafText
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

    /// The names of property list formats and source code.
    static let documentNames = PlistFormat.commandLineNames + ["swift", "objc"]
    static let valueNames = documentNames + ["raw"]

    init(_ name: String, among names: [String]) throws(UsageError) {
      guard names.contains(name) else {
        throw UsageError(unknown: "format specifier", name, expected: names)
      }
      switch name {
      case "swift": self = .literal(.swift)
      case "objc": self = .literal(.objectiveC)
      default: self = PlistFormat(commandLineName: name).map { .propertyList($0) } ?? .raw
      }
    }
  }
}

extension Output {
  /// Reads the input, prints its warnings, and writes the contents made from it, or reports why it
  /// cannot.
  ///
  /// - Parameter make: Makes the contents from a document and the bytes that it was read from, which
  ///   need not stay in memory while the contents are written.
  func transform(
    silent: Bool, in session: Session,
    _ make: (PlistDocument, consuming Data) throws -> Contents
  ) {
    let isInPlace = place == .file(input.operand)
    guard !isInPlace || !input.isStream else {
      return session.report("not a regular file; use -o to choose the output", about: input.name)
    }
    guard checkIsFree(in: session) else { return }
    var warnings: [String] = []
    func contents(from data: consuming Data) throws -> Contents {
      var opened = try input.open(data)
      let (document, envelope) = (opened.document, opened.envelope)
      // The result may have a different control character, or none.
      warnings = document.warnings.filter { !$0.isAboutCharacter }.map(\.description)
      let contents = try make(document, opened.takeContents())
      warnings += contents.warnings
      if let envelope {
        guard !isInPlace else { throw CommandFailure("\(envelope); use -o to choose the output") }
        warnings.append("\(envelope)")
      }
      if isInPlace, !input.options.isLenient, document.isBareWord {
        throw CommandFailure(
          "\(PlistDocument.bareWordText); use -o to choose the output, or --lenient")
      }
      return contents
    }
    let result = Result<Contents?, any Error> {
      try session.withProgress("reading \(input.name)", waitsForInput: input.isStandardInput) {
        guard isInPlace, input.isFile else { return try contents(from: input.readData()) }
        try input.replace { try contents(from: $0).data }
        return nil
      }
    }
    if !silent { session.warn(warnings, about: input.name) }
    switch result {
    case .success(let contents): if let contents { write(contents, in: session) }
    case .failure(let error): session.report("\(error)", about: input.name)
    }
  }
}
