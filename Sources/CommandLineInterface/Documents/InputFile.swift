internal import FileStorage
package import FoundationEssentials
internal import Glibc
package import PropertyList

/// An operand that a tool reads: a file, or standard input.
package struct InputFile: Sendable {
  package let operand: String
  package var options: PlistReadOptions
  /// Whether text that is valid in both JSON and OpenStep, such as a number, is JSON.
  package var prefersJSON = false

  /// The input of an operand; `-` is standard input.
  package init(operand: String, options: PlistReadOptions = .forTools) {
    (self.operand, self.options) = (operand, options)
  }

  /// The inputs of a command line; throws if standard input is among them twice.
  package static func all(of invocation: Invocation) throws(UsageError) -> [InputFile] {
    let options = PlistReadOptions(of: invocation)
    let inputs = invocation.operands.map { InputFile(operand: $0, options: options) }
    guard inputs.count(where: \.isStandardInput) < 2 else {
      throw UsageError("standard input can only be read once")
    }
    return inputs
  }

  package var isStandardInput: Bool { operand == "-" }

  package var name: String { isStandardInput ? "<stdin>" : operand }

  /// Whether the operand is a regular file.
  package var isFile: Bool {
    var information = stat()
    return stat(operand, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
  }

  /// Whether the operand is a pipe, a device, a socket or an open descriptor such as `/dev/stdin`,
  /// which cannot be replaced.
  package var isStream: Bool { SpecialFile(operand) != nil }

  /// Reads all bytes, up to the largest size of a property list.
  package func readData() throws -> Data {
    let limit = PlistLimits().maximumSize
    guard !isStandardInput else { return try Descriptor.standardInput.readAll(limit: limit) }
    do throws(FileSystemError) {
      return try AtomicFile.read(operand, limit: limit)
    } catch {
      throw Unreadable(error) ?? error as any Error
    }
  }

  /// Replaces the file, which must exist, while its lock is held, so that no concurrent change is
  /// lost.
  ///
  /// - Parameter make: Returns the new bytes, given the current ones; nil to change nothing. It may
  ///   be called more than once.
  package func replace(_ make: (Data) throws -> Data?) throws {
    try AtomicFile(operand).update(limit: PlistLimits().maximumSize) { present in
      guard let old = present.contents else { throw FileSystemError(.open, code: ENOENT) }
      return try make(old.data)
    }
  }

  /// The error for a file that cannot be opened or is a folder. Scripts may depend on its words.
  private struct Unreadable: Error, CustomStringConvertible {
    let description: String

    init?(_ error: FileSystemError) {
      switch error {
      case .failed(.open, let code),
        .failed(.read, let code) where code == EISDIR:
        description =
          "file does not exist or is not readable or is not a regular file "
          + "(\(code == EISDIR ? "\(error)" : String(cString: strerror(code))))"
      default: return nil
      }
    }
  }

  /// Parses a property list of any format, including one inside a signed message or an executable.
  package func open(_ data: consuming Data) throws(DocumentError) -> InputDocument {
    do throws(PlistError) {
      guard let (contents, envelope) = try PlistEnvelope.open(data) else {
        return InputDocument(document: try read(data), contents: data, envelope: nil)
      }
      return InputDocument(document: try read(contents), contents: contents, envelope: envelope)
    } catch {
      throw DocumentError(error)
    }
  }

  private func read(_ data: Data) throws(PlistError) -> PlistDocument {
    if prefersJSON, PlistFormat(detecting: data) == .openStep,
      let document = try? Plist.read(data, as: .json, options: options)
    {
      return document
    }
    return try Plist.read(data, options: options)
  }

  /// Reads a property list as ``open(_:)`` does.
  package func load() throws(InputProblem) -> InputDocument {
    let data: Data
    do { data = try readData() } catch { throw .file("\(error)") }
    do { return try open(data) } catch { throw .document(error) }
  }

  /// Reads a property list of any format, or reports why it cannot. Unless silent, a note says what
  /// format the property list is embedded in.
  package func read(in session: Session, isSilent: Bool = false) -> PlistDocument? {
    load(in: session, isSilent: isSilent)?.document
  }

  /// Reads the bytes, or reports why it cannot.
  package func readData(in session: Session) -> Data? {
    reading(in: session) { try readData() }
  }

  private func reading<Result>(in session: Session, _ body: () throws -> Result) -> Result? {
    session.reporting(about: name) {
      try session.withProgress(
        "reading \(name)", waitsForInput: isStandardInput, body)
    }
  }

  /// Reads a property list with its source, or reports why it cannot.
  package func load(in session: Session, isSilent: Bool = false) -> InputDocument? {
    guard let input = reading(in: session, { try load() }) else { return nil }
    if !isSilent { session.note(input.envelope, about: name) }
    return input
  }
}

/// The options for reading documents that tools share.
package enum ReadingOptions {
  package static let lenient = CommandLineTool.Option(
    "--lenient",
    """
    Accept, with a warning, data that is not valid base64, dates with fractions of a second or an offset from \
    UTC, and edits to files of a single word
    """)
  package static let encoding = CommandLineTool.Option(
    "--encoding name",
    """
    The encoding of OpenStep files that are not UTF-8 and have no byte-order mark, such as MACINTOSH or \
    SHIFT_JIS; iconv -l lists all
    """)

  package static let all = [lenient, encoding]
}

extension PlistReadOptions {
  /// The options tools use to read documents from any source.
  package static let forTools: PlistReadOptions = {
    var options = PlistReadOptions()
    options.allowsTypedValues = true
    return options
  }()

  /// Whether to accept documents whose defects are otherwise errors.
  package var isLenient: Bool {
    get { allowsLenientDates && allowsMalformedBase64 }
    set { (allowsLenientDates, allowsMalformedBase64) = (newValue, newValue) }
  }

  package init(of invocation: Invocation) {
    self = .forTools
    isLenient = invocation.has(ReadingOptions.lenient)
    encoding = invocation.argument(of: ReadingOptions.encoding)
  }
}
