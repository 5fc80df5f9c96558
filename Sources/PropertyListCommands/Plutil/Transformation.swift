internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PropertyList

/// The transformation of a document: reading it, printing its warnings, and writing the result.
struct Transformation {
  /// Makes the result from a document and the bytes that it was read from.
  let body: (PlistDocument, Data) throws -> ResultWriter.Result

  private var warnings: [PlistWarning] = []
  private var rounding: PlistError?

  /// The transformation by a closure.
  init(_ body: @escaping (PlistDocument, Data) throws -> ResultWriter.Result) {
    self.body = body
  }

  /// Transforms an input, or reports why it cannot.
  mutating func perform(
    on input: InputFile, to destination: Destination, silent: Bool, in session: Session
  ) {
    (warnings, rounding) = ([], nil)
    let isInPlace = destination == .file(input.operand)
    guard !isInPlace || !input.isStream else {
      return session.report(
        "is no file that could be replaced; -o says where the result goes", about: input.name)
    }
    let result = Result {
      try session.withProgress("reading \(input.name)", waitsForInput: input.isStandardInput) {
        if isInPlace, input.isFile {
          try replace(input)
          return nil as Data?
        }
        return try make(try input.readData())
      }
    }
    if !silent {
      session.warn(warnings, about: input.name)
      if let rounding { session.warn(ofRounding: rounding, about: input.name) }
    }
    switch result {
    case .success(let data): if let data { destination.write(data, in: session) }
    case .failure(let error): session.report("\(error)", about: input.name)
    }
  }

  /// Replaces a file while its lock is held, so that no concurrent change is lost.
  private mutating func replace(_ input: InputFile) throws {
    try AtomicFile(input.operand).update(limit: PlistReadOptions().limits.maximumSize) { present in
      guard let contents = present.contents else { throw FileSystemError(.open, code: ENOENT) }
      return try make(contents.data, rejectsBareWord: true)
    }
  }

  private mutating func make(_ data: Data, rejectsBareWord: Bool = false) throws -> Data {
    (warnings, rounding) = ([], nil)
    let document = try Plist.read(data)
    warnings = document.warnings
    let result = try body(document, data)
    rounding = result.rounding
    if rejectsBareWord, document.bareWord != nil { throw BareWord() }
    return result.data
  }

  /// The error for a file that is only a bare word, and may be any text.
  private struct BareWord: Error, CustomStringConvertible {
    let description = "is not replaced, being no more than a bare word"
  }
}
