internal import CommandLineInterface
internal import Glibc

/// Where the results of a command line go, all of it found out before anything is done.
struct Placement {
  /// An input with the places of what is made of it.
  struct Result {
    let input: InputFile
    let destination: Destination
    /// Where the header file of an Objective-C source goes; nil where none is asked for.
    let header: Destination?
  }

  let results: [Result]

  /// - Parameters:
  ///   - invocation: The command line.
  ///   - format: What is written; nil for what the input is.
  ///   - inPlace: Whether results go where the inputs are unless `-o` or `-e` is given, and not to
  ///     standard output.
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
    // Source code is no property list, and a part is not the whole: they do not take its place.
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
      throw UsageError("-header writes a file beside the result; standard output has none")
    }
    guard name.unicodeScalars.allSatisfy({ $0.isSafeInSource && $0 != "\"" && $0 != "\\" }) else {
      throw UsageError("\(name) is no name that #import could have")
    }
    return header
  }

  /// Refuses results that would replace one another, or inputs that are not their own.
  private func checkTargets(mayReplaceInputs: Bool) throws(UsageError) {
    let sources = results.map { $0.input.isStandardInput ? nil : Self.place(of: $0.input.operand) }
    var writers: [String: Int] = [:]
    for (number, result) in results.enumerated() {
      for case .file(let path)? in [result.destination, result.header] {
        let place = Self.place(of: path)
        if !mayReplaceInputs, let replaced = sources.firstIndex(of: place) {
          throw UsageError("the result would replace \(results[replaced].input.name) itself")
        }
        let other = writers.updateValue(number, forKey: place)
        if let other, other == number || sources[other] != sources[number] {
          throw UsageError("\(path) would be written twice")
        }
      }
    }
  }

  /// Refuses to put several property lists behind one another on standard output, where nothing could
  /// tell them apart.
  private func checkStandardOutput() throws(UsageError) {
    let count = results.count { $0.destination == .standardOutput }
    if count > 1 {
      throw UsageError("standard output takes the result of one file, not of \(count)")
    }
  }

  /// Refuses to change the same file twice, behind the back of its first change.
  func checkInputsDiffer() throws(UsageError) {
    var places: Set<String> = []
    for result in results where !result.input.isStandardInput {
      guard places.insert(Self.place(of: result.input.operand)).inserted else {
        throw UsageError("\(result.input.name) is given twice")
      }
    }
  }

  /// What a path leads to, whatever way it takes; the path itself where its folder does not exist.
  private static func place(of path: String) -> String {
    if let resolved = resolve(path) { return resolved }
    let bytes = path.utf8
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else {
      return resolve(".").map { "\($0)/\(path)" } ?? path
    }
    let folder = slash == bytes.startIndex ? "/" : String(path[..<slash])
    return resolve(folder).map { $0 + String(path[slash...]) } ?? path
  }

  private static func resolve(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
