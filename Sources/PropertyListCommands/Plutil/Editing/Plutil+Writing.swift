internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// The verbs that write property lists or source code.
extension Plutil {
  /// `-convert`
  static func convert(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let format = try OutputFormat(invocation.arguments[0], of: .documents)
    let placement = try Placement(of: invocation, format: format, default: .inPlace)
    let isTyped = invocation.has(Option.typed)
    for var result in placement.results {
      result.input.prefersJSON = isTyped
      let writer = ResultWriter(format, for: invocation, source: result.input)
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
