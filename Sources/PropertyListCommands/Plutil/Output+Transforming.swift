internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PropertyList

extension Output {
  /// Reads the input, prints its warnings, and writes what is made of it; or reports why it cannot.
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
      // The result may have another control character, or none.
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
        // The file is replaced while its lock is held, so that no concurrent change is lost.
        let limit = PlistReadOptions().limits.maximumSize
        try AtomicFile(input.operand).update(limit: limit) { present in
          guard let old = present.contents else { throw FileSystemError(.open, code: ENOENT) }
          return try contents(from: old.data).data
        }
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
