internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PropertyList

/// The commands that write property lists.
extension PropertyListTool {
  /// `-convert`
  static func convert(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let format = try FormatName.format(invocation.arguments[0])
    let silent = invocation.has(Option.silent)
    try checkStandardOutput(invocation, inPlace: true)
    for (input, destination) in try results(of: invocation, inPlace: true) {
      if destination == .file(input.operand), input.isFile {
        convertInPlace(input, to: format, silent: silent, in: session)
      } else if let document = input.read(in: session) {
        if !silent { session.warn(document.warnings, about: input.name) }
        write(document.value, as: format, of: input, to: destination, silent: silent, in: session)
      }
    }
  }

  /// Converts a file under its lock, so that nobody else's change gets lost.
  private static func convertInPlace(
    _ input: InputFile, to format: PlistFormat, silent: Bool, in session: Session
  ) {
    let options = PlistReadOptions()
    var warnings: [PlistWarning] = []
    var rounding: PlistError?
    let result = Result {
      try AtomicFile(input.operand).update(limit: options.limits.size) { contents in
        (warnings, rounding) = ([], nil)
        guard let contents else { throw SystemError("open", code: ENOENT) }
        let document = try PropertyList.read(contents.data, options: options)
        warnings = document.warnings
        // Any text of one word would be replaced otherwise.
        if warnings.contains(where: { $0.kind == .bareWord }) { return nil }
        let (data, inexactness) = try bytes(of: document.value, as: format)
        rounding = inexactness
        return data
      }
    }
    if !silent {
      session.warn(warnings, about: input.name)
      if let rounding { warnOfRounding(rounding, about: input, in: session) }
    }
    if case .failure(let error) = result {
      session.report("\(error)", about: input.name)
    } else if warnings.contains(where: { $0.kind == .bareWord }) {
      session.report("is not replaced, being no more than a bare word", about: input.name)
    }
  }

  /// `-extract`
  static func extract(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let path = PlistKeyPath(invocation.arguments[0])
    let raw = invocation.arguments[1] == "raw"
    let format = raw ? nil : try FormatName.format(invocation.arguments[1], or: ["raw"])
    let silent = invocation.has(Option.silent)
    if !raw { try checkStandardOutput(invocation, inPlace: false) }
    for (input, destination) in try results(of: invocation, inPlace: false) {
      guard let source = input.open(whole: path.isRoot, warns: !silent, in: session),
        let value = source.find(at: path, of: input, in: session, source.value)
      else { continue }
      if let format {
        write(value, as: format, of: input, to: destination, silent: silent, in: session)
      } else {
        destination.deliver(Data((rawText(of: value) + "\n").utf8), in: session)
      }
    }
  }

  /// `-create`
  static func create(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let format = try FormatName.format(invocation.arguments[0])
    let path = invocation.operands[0]
    do {
      let data = try PropertyList.write(.dictionary([:]), as: format)
      guard path != "-" else { return session.put(data) }
      try AtomicFile(path).update { contents in
        guard contents == nil else { throw SystemError("create", code: EEXIST) }
        return data
      }
    } catch {
      session.report("\(error)", about: path)
    }
  }

  /// The inputs with where their results go, all of it found out before anything is done.
  private static func results(
    of invocation: Invocation, inPlace: Bool
  ) throws(UsageError) -> [(InputFile, Destination)] {
    var results: [(InputFile, Destination)] = []
    for operand in invocation.operands {
      let input = InputFile(operand: operand)
      results.append((input, try Destination(of: input, for: invocation, inPlace: inPlace)))
    }
    return results
  }

  /// Refuses to put several property lists behind one another on standard output, where nothing
  /// could tell them apart.
  private static func checkStandardOutput(
    _ invocation: Invocation, inPlace: Bool
  ) throws(UsageError) {
    guard invocation.operands.count > 1 else { return }
    let output = invocation.argument(of: Option.output)
    let ending = invocation.argument(of: Option.ending)
    if output == "-" || (output == nil && ending == nil && !inPlace) {
      throw UsageError(
        "standard output takes the result of one file, not of \(invocation.operands.count)")
    }
  }

  private static func write(
    _ value: PlistValue, as format: PlistFormat, of input: InputFile, to destination: Destination,
    silent: Bool, in session: Session
  ) {
    do throws(PlistError) {
      let (data, rounding) = try bytes(of: value, as: format)
      if !silent, let rounding { warnOfRounding(rounding, about: input, in: session) }
      destination.deliver(data, in: session)
    } catch {
      session.report("\(error)", about: input.name)
    }
  }

  /// The value in a format, and why it is not exactly the same there, when it is not.
  private static func bytes(
    of value: PlistValue, as format: PlistFormat
  ) throws(PlistError) -> (Data, rounding: PlistError?) {
    var options = PlistWriteOptions()
    options.exact = true
    do throws(PlistError) {
      return (try PropertyList.write(value, as: format, options: options), nil)
    } catch {
      guard case .fractionalSeconds = error.kind else { throw error }
      options.exact = false
      return (try PropertyList.write(value, as: format, options: options), error)
    }
  }

  private static func warnOfRounding(
    _ error: PlistError, about input: InputFile, in session: Session
  ) {
    session.warn("\(error); rounded down, here and elsewhere", about: input.name)
  }
}

extension Session {
  fileprivate func warn(_ warnings: [PlistWarning], about file: String) {
    for warning in warnings { warn(warning, about: file) }
  }
}

extension InputFile {
  /// Whether it is a file, and no pipe, device or folder.
  fileprivate var isFile: Bool {
    var information = stat()
    return stat(operand, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
  }
}
