internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PropertyList

/// Making one document of another: reading it, telling what is odd about it, and putting the result in its
/// place.
struct Transformation {
  /// What makes the result of a document, and of the bytes that it was read from.
  let body: (PlistDocument, Data) throws -> ResultWriter.Result

  private var warnings: [PlistWarning] = []
  private var rounding: PlistError?

  /// The transformation that the closure does.
  init(_ body: @escaping (PlistDocument, Data) throws -> ResultWriter.Result) {
    self.body = body
  }

  /// Does it, or reports why it cannot.
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
      try session.during("reading \(input.name)", isWaiting: input.isStandardInput) {
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
    case .success(let data): if let data { destination.deliver(data, in: session) }
    case .failure(let error): session.report("\(error)", about: input.name)
    }
  }

  /// Replaces a file under its lock, so that nobody else's change gets lost.
  private mutating func replace(_ input: InputFile) throws {
    try AtomicFile(input.operand).update(limit: PlistReadOptions().limits.maximumSize) { contents in
      guard let contents else { throw FileSystemError(.open, code: ENOENT) }
      let data = try make(contents.data)
      // Any text of one word would be replaced otherwise.
      if warnings.contains(where: { $0.kind == .bareWord }) { throw BareWord() }
      return data
    }
  }

  private mutating func make(_ data: Data) throws -> Data {
    (warnings, rounding) = ([], nil)
    let document = try Plist.read(data)
    warnings = document.warnings
    let result = try body(document, data)
    rounding = result.rounding
    return result.data
  }

  /// That a file may be any text.
  private struct BareWord: Error, CustomStringConvertible {
    let description = "is not replaced, being no more than a bare word"
  }
}
