internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PropertyList

/// The transformation of a document: reading it, printing its warnings, and writing the result.
struct Transformation {
  /// Makes the result from a document and the bytes that it was read from, which need not stay in
  /// memory while the result is written.
  let body: (PlistDocument, consuming Data) throws -> ResultWriter.Result

  private var warnings: [String] = []

  /// The transformation by a closure.
  init(_ body: @escaping (PlistDocument, consuming Data) throws -> ResultWriter.Result) {
    self.body = body
  }

  /// Transforms an input, or reports why it cannot.
  mutating func perform(_ placed: Placement.Result, silent: Bool, in session: Session) {
    warnings = []
    let input = placed.input
    let isInPlace = placed.destination == .file(input.operand)
    guard !isInPlace || !input.isStream else {
      return session.report("not a regular file; use -o to choose the output", about: input.name)
    }
    guard placed.checkIsFree(in: session) else { return }
    let result = Result {
      try session.withProgress("reading \(input.name)", waitsForInput: input.isStandardInput) {
        if isInPlace, input.isFile {
          try replace(input)
          return nil as ResultWriter.Result?
        }
        return try make(try input.readData(), of: input, isInPlace: false)
      }
    }
    if !silent { session.warn(warnings, about: input.name) }
    switch result {
    case .success(let result): if let result { placed.write(result, in: session) }
    case .failure(let error): session.report("\(error)", about: input.name)
    }
  }

  /// Replaces a file while its lock is held, so that no concurrent change is lost.
  private mutating func replace(_ input: InputFile) throws {
    try AtomicFile(input.operand).update(limit: PlistReadOptions().limits.maximumSize) { present in
      guard let contents = present.contents else { throw FileSystemError(.open, code: ENOENT) }
      return try make(contents.data, of: input, isInPlace: true).data
    }
  }

  private mutating func make(
    _ data: consuming Data, of input: InputFile, isInPlace: Bool
  ) throws -> ResultWriter.Result {
    var opened = try input.open(data)
    let (document, envelope) = (opened.document, opened.envelope)
    // The result may have another control character, or none.
    warnings = document.warnings.filter { !$0.isAboutCharacter }.map(\.description)
    let result = try body(document, opened.takeContents())
    warnings += result.warnings
    if let envelope {
      guard !isInPlace else { throw Enveloped(envelope: envelope) }
      warnings.append("\(envelope)")
    }
    if isInPlace, !input.options.isLenient, document.isBareWord { throw BareWord() }
    return result
  }

  /// The error for a file that would lose what its property list is inside of.
  private struct Enveloped: Error, CustomStringConvertible {
    let envelope: PlistEnvelope

    var description: String { "\(envelope); use -o to choose the output" }
  }

  /// The error for a file that is only a bare word, and may be any text.
  private struct BareWord: Error, CustomStringConvertible {
    let description =
      "the file is a single word, which may not be a property list; use -o to choose the output, or --lenient"
  }
}
