internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// The verbs that write property lists or source code.
extension Plutil {
  /// `-convert`
  static func convert(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let format = try Output.Format(invocation.arguments[0], of: .documents)
    let isTyped = invocation.has(Option.typed)
    for var output in try Output.all(of: invocation, format: format, default: .inPlace) {
      output.input.prefersJSON = isTyped
      output.transform(silent: invocation.has(Option.silent), in: session) {
        [output] (document, data: consuming Data) in
        _ = consume data
        guard isTyped else { return try output.contents(of: document.value) }
        var value = document.value
        // Each occurrence of a shared value is visited.
        if document.format == .binary { try value.checkExpansion() }
        if document.format == .json { value = try TypedJSON.decode(value) }
        if format == .propertyList(.json) { value = TypedJSON.encode(value) }
        return try output.contents(of: value)
      }
    }
  }

  /// `-create`
  static func create(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let format = try Output.Format(invocation.arguments[0], of: .documents)
    for output in try Output.all(of: invocation, format: format, default: .created)
    where output.checkIsFree(in: session) {
      do {
        output.write(try output.contents(of: [:]), in: session)
      } catch {
        session.report("\(error)", about: output.input.name)
      }
    }
  }
}
