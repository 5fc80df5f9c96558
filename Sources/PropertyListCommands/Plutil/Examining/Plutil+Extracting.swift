internal import CommandLineInterface
internal import PropertyList

/// `-extract`
extension Plutil {
  static func extract(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let format = try Output.Format(invocation.arguments[1], among: Output.Format.valueNames)
    var queries: [Query] = []
    for part in invocation.earlier + [invocation] {
      guard part.arguments[1] == invocation.arguments[1],
        invocation.earlier.isEmpty || format == .raw
      else { throw UsageError("several -extract can only be used with the format raw") }
      queries.append(
        Query(path: PlistKeyPath(part.arguments[0]), expected: try ValueType.expected(by: part)))
    }
    let silent = invocation.has(.silent)
    for output in try Output.all(of: invocation, format: format, default: .standardOutput) {
      let input = output.input
      guard output.checkIsFree(in: session),
        let source = input.open(
          whole: queries.contains(where: \.path.isRoot), warns: !silent, notes: !silent, in: session
        )
      else { continue }
      let found = queries.map { $0.values(in: source, of: input, in: session) }
      guard
        let values = found.reduce([], { all, next in all.flatMap { all in next.map { all + $0 } } })
      else { continue }
      do {
        let contents =
          format == .raw
          ? output.contents(ofRawValues: values)
          : try output.contents(of: queries[0].isPattern(in: source) ? .array(values) : values[0])
        if !silent { session.warn(contents.warnings, about: input.name) }
        output.write(contents, in: session)
      } catch {
        session.report("\(error)", about: input.name)
      }
    }
  }

  private struct Query {
    let path: PlistKeyPath
    let expected: PlistValue.Kind?

    /// Whether a component `*` of the path matches all keys or elements, and is not itself a key.
    func isPattern(in source: ValueSource) -> Bool {
      path.components.contains("*") && (try? source.kind(at: path)) == nil
    }

    /// The values at the path, in document order; nil after a report that there are none, or that
    /// one is not of the expected kind.
    func values(in source: ValueSource, of input: InputFile, in session: Session) -> [PlistValue]? {
      let paths = isPattern(in: source) ? source.paths(matching: path) : [path]
      guard !paths.isEmpty else {
        session.report(
          "Could not extract value, error: No value at that key path or invalid key path: "
            + path.excerpt, about: input.name)
        return nil
      }
      var values: [PlistValue] = []
      for path in paths {
        guard
          expected == nil
            || kind(at: path, in: source, expected: expected, of: input, in: session) != nil,
          let value = source.find(at: path, of: input, in: session, source.value)
        else { return nil }
        values.append(value)
      }
      return values
    }
  }
}

/// `-type`, and the code that it shares with `-extract`.
extension Plutil {
  /// `-type`
  static func type(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let path = PlistKeyPath(invocation.arguments[0])
    let expected = try ValueType.expected(by: invocation)
    let silent = invocation.has(.silent)
    for output in try Output.all(of: invocation, format: .raw, default: .standardOutput) {
      let input = output.input
      guard let source = input.open(whole: false, warns: false, notes: !silent, in: session),
        let kind = kind(at: path, in: source, expected: expected, of: input, in: session)
      else { continue }
      output.write(output.contents(ofText: ValueType.name(of: kind)), in: session)
    }
  }

  /// The kind of the value at the end of a path; nil after a report that there is no value, or that
  /// it is not of the expected kind.
  static func kind(
    at path: PlistKeyPath, in source: ValueSource, expected: PlistValue.Kind?, of input: InputFile,
    in session: Session
  ) -> PlistValue.Kind? {
    guard let kind = source.find(at: path, of: input, in: session, source.kind) else { return nil }
    guard expected == nil || kind == expected else {
      let names = [kind, expected ?? kind].map(ValueType.name)
      session.report(
        "Value at [\(path.excerpt)] expected to be \(names[1]) but is \(names[0])",
        about: input.name)
      return nil
    }
    return kind
  }
}
