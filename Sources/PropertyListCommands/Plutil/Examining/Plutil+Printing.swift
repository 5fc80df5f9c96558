internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// `-p`
extension Plutil {
  static func print(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let options = try printOptions(of: invocation)
    let isJSON = invocation.has(.json)
    guard !isJSON || options.printsGraphs else {
      throw UsageError("--json can only be used with -graph; -convert json writes property lists")
    }
    let path = PlistKeyPath(invocation.argument(of: .at) ?? "")
    let silent = invocation.has(.silent)
    for var input in try InputFile.all(of: invocation) {
      input.options.recordsLines = options.showsLines
      guard let part = part(at: path, of: input, options, silent: silent, in: session) else {
        continue
      }
      do throws(PlistError) {
        try print(part, options, isJSON: isJSON, in: session)
      } catch {
        session.print("\n")
        session.report("\(error)", about: input.name)
      }
    }
  }

  private static func printOptions(
    of invocation: Invocation
  ) throws(UsageError) -> ValuePrinter.Options {
    var options = ValuePrinter.Options()
    if let text = invocation.argument(of: .depth) {
      guard let depth = Int(text), depth >= 0 else {
        throw UsageError("-depth needs a number of levels, such as 2; found \(text)")
      }
      options.depth = depth
    }
    options.showsLines = invocation.has(.lines)
    options.printsWholeData = invocation.has(.full)
    options.expandsData = invocation.has(.expand)
    options.printsGraphs = invocation.has(.graph)
    return options
  }

  private typealias Part = (value: PlistValue, lines: ValuePrinter.Lines?)

  /// Returns the value at a path; nil after a report that there is none, or that it is not an
  /// archive if that is required.
  private static func part(
    at path: PlistKeyPath, of input: InputFile, _ options: ValuePrinter.Options, silent: Bool,
    in session: Session
  ) -> Part? {
    var part: Part
    if options.showsLines {
      guard let document = input.read(in: session, isSilent: silent),
        let value = ValueSource.whole(document.value)
          .find(at: path, of: input, in: session, { document.value[$0] })
      else { return nil }
      part = (value, document.lines.map { ValuePrinter.Lines($0, of: document.value, at: path) })
    } else {
      guard let source = input.open(whole: path.isRoot, warns: false, notes: !silent, in: session),
        let value = source.find(at: path, of: input, in: session, source.value)
      else { return nil }
      part = (value, nil)
    }
    guard options.printsGraphs, !options.expandsData, ArchivedObjects(part.value) == nil else {
      return part
    }
    session.report("not a keyed archive; -p prints it without -graph", about: input.name)
    return nil
  }

  private static func print(
    _ part: Part, _ options: ValuePrinter.Options, isJSON: Bool, in session: Session
  ) throws(PlistError) {
    if isJSON || options.printsGraphs { try part.value.checkExpansion() }
    guard options.printsGraphs, let archive = ArchivedObjects(part.value) else {
      guard !isJSON else { return session.print(try jsonText(of: TypedJSON.encode(part.value))) }
      return try wrapping { () throws(PlistError.Kind) in
        try ValuePrinter(session: session, options: options).print(part.value, lines: part.lines)
      }
    }
    guard !isJSON else { return session.print(try jsonText(of: ArchiveGraph.value(of: archive))) }
    try wrapping { () throws(PlistError.Kind) in
      try ValuePrinter(session: session, options: options).print(archive, of: part.value)
    }
  }

  /// A value as JSON for people.
  static func jsonText(of value: PlistValue) throws(PlistError) -> String {
    var options = PlistWriteOptions()
    options.printPretty()
    return String(
      decoding: try Plist.write(value, as: .json, options: options),
      as: UTF8.self) + "\n"
  }

  private static func wrapping(_ body: () throws(PlistError.Kind) -> Void) throws(PlistError) {
    do throws(PlistError.Kind) {
      try body()
    } catch {
      throw PlistError(error)
    }
  }
}

extension ValuePrinter.Lines {
  init(_ lines: PlistLines, of root: PlistValue, at path: PlistKeyPath) {
    self.init(
      lines: lines, root: root, path: path.components, width: String(lines.lastLine).utf8.count)
  }
}
