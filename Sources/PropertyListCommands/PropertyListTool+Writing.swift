internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// The commands that write property lists.
extension PropertyListTool {
  /// `-convert`
  static func convert(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let format = try FormatName.format(invocation.arguments[0])
    let silent = invocation.options[Option.silent.name] != nil
    try checkStandardOutput(invocation, inPlace: true)
    for (input, destination) in try results(of: invocation, inPlace: true) {
      guard let document = input.read(in: session) else { continue }
      if !silent {
        for warning in document.warnings { session.warn(warning, about: input.name) }
      }
      // Any text of one word would be replaced otherwise.
      if document.warnings.contains(where: { $0.kind == .bareWord }),
        destination == .file(input.operand)
      {
        session.report("is not replaced, being no more than a bare word", about: input.name)
        continue
      }
      write(document.value, as: format, of: input, to: destination, silent: silent, in: session)
    }
  }

  /// `-extract`
  static func extract(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let path = PlistKeyPath(invocation.arguments[0])
    let raw = invocation.arguments[1] == "raw"
    let format = raw ? nil : try FormatName.format(invocation.arguments[1], or: ["raw"])
    let silent = invocation.options[Option.silent.name] != nil
    if !raw { try checkStandardOutput(invocation, inPlace: false) }
    for (input, destination) in try results(of: invocation, inPlace: false) {
      guard let value = value(at: path, of: input, warns: !silent, in: session) else { continue }
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
    do throws(PlistError) {
      let data = try PropertyList.write(.dictionary([:]), as: format)
      guard path != "-" else { return session.put(data) }
      do throws(SystemError) {
        try AtomicFile.create(path, with: data)
      } catch {
        session.report("\(error)", about: path)
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
    let output = invocation.options[Option.output.name]
    let ending = invocation.options[Option.ending.name]
    if output == "-" || (output == nil && ending == nil && !inPlace) {
      throw UsageError(
        "standard output takes the result of one file, not of \(invocation.operands.count)")
    }
  }

  private static func write(
    _ value: PlistValue, as format: PlistFormat, of input: InputFile, to destination: Destination,
    silent: Bool, in session: Session
  ) {
    var options = PlistWriteOptions()
    options.exact = true
    do throws(PlistError) {
      let data: Data
      do throws(PlistError) {
        data = try PropertyList.write(value, as: format, options: options)
      } catch {
        guard case .fractionalSeconds = error.kind else { throw error }
        options.exact = false
        data = try PropertyList.write(value, as: format, options: options)
        if !silent { session.warn("\(error); rounded down, here and elsewhere", about: input.name) }
      }
      destination.deliver(data, in: session)
    } catch {
      session.report("\(error)", about: input.name)
    }
  }
}
