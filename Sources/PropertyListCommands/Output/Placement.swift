internal import CommandLineInterface
internal import FileStorage

/// The destinations of all results of a command line, determined before anything is written.
struct Placement {
  /// An input with the destinations of its results.
  struct Result {
    let input: InputFile
    let destination: Destination
    /// The destination of the Objective-C header file; nil unless one is requested.
    let header: Destination?
  }

  let results: [Result]

  /// - Parameters:
  ///   - invocation: The command line.
  ///   - format: The format of the results; nil for that of each input.
  ///   - inPlace: Whether results replace their inputs, or go to files beside them, unless `-o` or
  ///     `-e` is given. Otherwise they go to standard output.
  init(
    of invocation: Invocation, format: OutputFormat? = nil, inPlace: Bool
  ) throws(UsageError) {
    var placeByDefault = inPlace ? Destination.Default.inPlace : .standardOutput
    var isSource = false
    if case .literal(let language) = format {
      isSource = true
      if inPlace { placeByDefault = .beside(language.fileExtension) }
    }
    var results: [Result] = []
    for input in try InputFile.all(of: invocation) {
      let destination = try Destination(of: input, for: invocation, default: placeByDefault)
      let header = try Self.header(for: invocation, format: format, beside: destination)
      results.append(Result(input: input, destination: destination, header: header))
    }
    self.results = results
    // Neither source code nor a part of a property list may replace its input.
    let isPart = !inPlace && invocation.has(PropertyListTool.Option.ending)
    try checkTargets(mayReplaceInputs: !isSource && !isPart)
    if format != .raw { try checkStandardOutput() }
  }

  private static func header(
    for invocation: Invocation, format: OutputFormat?, beside destination: Destination
  ) throws(UsageError) -> Destination? {
    guard invocation.has(PropertyListTool.Option.header) else { return nil }
    guard format == .literal(.objectiveC) else { throw UsageError("-header goes with objc") }
    guard let header = destination.withExtension("h"), let name = header.name else {
      guard case .file(let path) = destination else {
        throw UsageError("-header writes a file beside the result; standard output has none")
      }
      throw UsageError("there is no place for a header file beside \(path)")
    }
    guard name.unicodeScalars.allSatisfy({ $0.isSafeInSource && $0 != "\"" && $0 != "\\" }) else {
      throw UsageError("\(name) is no name that #import could have")
    }
    return header
  }

  /// Rejects results that would replace one another, or the input of another result.
  private func checkTargets(mayReplaceInputs: Bool) throws(UsageError) {
    let sources = results.map {
      $0.input.isStandardInput ? nil : Self.canonicalPath(of: $0.input.operand)
    }
    var writers: [String: Int] = [:]
    for (number, result) in results.enumerated() {
      for case .file(let path)? in [result.destination, result.header] {
        let target = Self.canonicalPath(of: path)
        if !mayReplaceInputs, let replaced = sources.firstIndex(of: target) {
          throw UsageError("the result would replace \(results[replaced].input.name) itself")
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
    let count = results.count { $0.destination == .standardOutput }
    if count > 1 {
      throw UsageError("standard output takes the result of one file, not of \(count)")
    }
  }

  /// Rejects command lines that name a file twice.
  func checkInputsDiffer() throws(UsageError) {
    var paths: Set<String> = []
    for result in results where !result.input.isStandardInput {
      guard paths.insert(Self.canonicalPath(of: result.input.operand)).inserted else {
        throw UsageError("\(result.input.name) is given twice")
      }
    }
  }

  /// The canonical path of a file, which need not exist; the path itself if its folder does not
  /// exist.
  private static func canonicalPath(of path: String) -> String {
    if let resolved = try? FilePath.resolved(path) { return resolved }
    let bytes = path.utf8
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else {
      return (try? FilePath.resolved(".")).map { "\($0)/\(path)" } ?? path
    }
    let folder = slash == bytes.startIndex ? "/" : String(path[..<slash])
    return (try? FilePath.resolved(folder)).map { $0 + String(path[slash...]) } ?? path
  }
}
