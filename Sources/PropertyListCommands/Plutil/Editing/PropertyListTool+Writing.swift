internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// The verbs that write property lists or source code.
extension PropertyListTool {
  /// `-convert`
  static func convert(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let format = try OutputFormat(invocation.arguments[0], of: .documents)
    let placement = try Placement(of: invocation, format: format, default: .inPlace)
    for result in placement.results {
      let writer = ResultWriter(format, for: invocation, source: result.input)
      let isTyped = invocation.has(Option.typed)
      var transformation = Transformation { (document, data: consuming Data) in
        _ = consume data
        guard isTyped else { return try writer.result(of: document.value) }
        var value = document.value
        // Each occurrence of a shared value is visited.
        if document.format == .binary { try value.checkExpansion() }
        if document.format == .json { value = try TypedJSON.decode(value) }
        if format == .propertyList(.json) { value = TypedJSON.encode(value) }
        return try writer.result(of: value)
      }
      transformation.perform(result, silent: invocation.has(Option.silent), in: session)
    }
  }

  /// `-extract`
  static func extract(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let path = PlistKeyPath(invocation.arguments[0])
    let format = try OutputFormat(invocation.arguments[1], of: .values)
    let expected = try ValueType.expected(by: invocation)
    let placement = try Placement(of: invocation, format: format, default: .standardOutput)
    let silent = invocation.has(Option.silent)
    for result in placement.results {
      let input = result.input
      guard result.checkIsFree(in: session),
        let source = input.open(
          whole: path.isRoot, warns: !silent, notes: !silent, in: session),
        expected == nil
          || kind(at: path, in: source, expected: expected, of: input, in: session) != nil,
        let value = source.find(at: path, of: input, in: session, source.value)
      else { continue }
      let writer = ResultWriter(format, for: invocation, source: input)
      do {
        let written = try writer.result(of: value)
        if !silent { session.warn(written.warnings, about: input.name) }
        result.write(written, in: session)
      } catch {
        session.report("\(error)", about: input.name)
      }
    }
  }

  /// `-create`
  static func create(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let format = try OutputFormat(invocation.arguments[0], of: .documents)
    let placement = try Placement(of: invocation, format: format, default: .created)
    for result in placement.results where result.checkIsFree(in: session) {
      let writer = ResultWriter(format, for: invocation, source: result.input)
      do {
        result.write(try writer.result(of: [:]), in: session)
      } catch {
        session.report("\(error)", about: result.input.name)
      }
    }
  }
}
