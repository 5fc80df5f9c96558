internal import CommandLineInterface
internal import FileStorage
internal import PropertyList

/// The destinations of all results of a command line, determined before anything is written.
struct Placement {
  /// An input with the destinations of its results.
  struct Result {
    var input: InputFile
    let destination: Destination
    /// The destination of the Objective-C header file; nil unless one is requested.
    let header: Destination?

    /// Reports a file that exists and must not be replaced.
    ///
    /// - Returns: Whether there is none.
    func checkIsFree(in session: Session) -> Bool {
      for destination in [destination, header].compactMap(\.self) {
        do {
          try destination.checkIsFree()
        } catch {
          session.report("\(error)", about: destination.path)
          return false
        }
      }
      return true
    }

    /// Writes a result, and then its header file, or reports why it cannot.
    func write(_ result: ResultWriter.Result, in session: Session) {
      guard destination.write(result, in: session) else { return }
      if let data = result.header { header?.write(.init(data: data), in: session) }
    }
  }

  let results: [Result]

  /// - Parameters:
  ///   - invocation: The command line.
  ///   - format: The format of the results; nil for that of each input.
  ///   - default: The destination unless `-o` or `-e` is given. Source code is never written in
  ///     place, but beside the input.
  init(
    of invocation: Invocation, format: OutputFormat? = nil, default: Destination.Default
  ) throws(UsageError) {
    var placeByDefault = `default`
    var isSource = false
    if case .literal(let language) = format {
      isSource = true
      if `default` == .inPlace { placeByDefault = .beside(language.fileExtension) }
    }
    let isWhole = `default` != .standardOutput
    let readsInputs = `default` != .created
    var results: [Result] = []
    for input in try InputFile.all(of: invocation) {
      let destination = try Destination(of: input, for: invocation, default: placeByDefault)
      let header = try Self.header(for: invocation, format: format, beside: destination)
      results.append(Result(input: input, destination: destination, header: header))
    }
    self.results = results
    // Neither source code nor a part of a property list may replace its input.
    let isPart = !isWhole && invocation.has(Plutil.Option.ending)
    try checkTargets(mayReplaceInputs: !readsInputs || !isSource && !isPart)
    if format != .raw { try checkStandardOutput() }
  }

  private static func header(
    for invocation: Invocation, format: OutputFormat?, beside destination: Destination
  ) throws(UsageError) -> Destination? {
    guard invocation.has(Plutil.Option.header) else { return nil }
    guard format == .literal(.objectiveC) else {
      throw UsageError("-header can only be used with objc")
    }
    guard let header = destination.header else {
      let place = destination.path ?? "standard output"
      throw UsageError("-header needs a regular file for the source; \(place) is not one")
    }
    return header
  }

  /// Rejects results that would replace one another, or the input of another result.
  private func checkTargets(mayReplaceInputs: Bool) throws(UsageError) {
    let sources = results.map {
      $0.input.isStandardInput ? nil : Self.canonicalPath(of: $0.input.operand)
    }
    var writers: [ByteKey: Int] = [:]
    for (number, result) in results.enumerated() {
      for path in [result.destination.path, result.header?.path].compactMap(\.self) {
        let target = Self.canonicalPath(of: path)
        if !mayReplaceInputs, let replaced = sources.firstIndex(of: target) {
          throw UsageError(
            "the output would replace the input \(results[replaced].input.name); "
              + "use -o to choose another file")
        }
        let other = writers.updateValue(number, forKey: target)
        if let other, other == number || sources[other] != sources[number] {
          throw UsageError("\(path) would be written twice")
        }
      }
    }
  }

  /// Rejects several property lists on standard output, where nothing would separate them.
  private func checkStandardOutput() throws(UsageError) {
    let count = results.count { $0.destination.path == nil }
    if count > 1 {
      throw UsageError("standard output can only take the result of one file; found \(count)")
    }
  }

  /// Rejects command lines that name a file twice.
  func checkInputsDiffer() throws(UsageError) {
    var paths: Set<ByteKey> = []
    for result in results where !result.input.isStandardInput {
      guard paths.insert(Self.canonicalPath(of: result.input.operand)).inserted else {
        throw UsageError("\(result.input.name) was given twice")
      }
    }
  }

  /// The canonical path of a file, which need not exist; the path itself if its folder does not
  /// exist.
  static func canonicalPath(of path: String) -> ByteKey {
    ByteKey(canonicalText(of: path))
  }

  private static func canonicalText(of path: String) -> String {
    if let resolved = try? FilePath.resolved(path) { return resolved }
    let bytes = path.utf8
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else {
      return (try? FilePath.resolved(".")).map { "\($0)/\(path)" } ?? path
    }
    let folder = slash == bytes.startIndex ? "/" : String(path[..<slash])
    return (try? FilePath.resolved(folder)).map { $0 + String(path[slash...]) } ?? path
  }
}
