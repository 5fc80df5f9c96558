internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PropertyList

/// The verbs that write property lists or source code.
extension PropertyListTool {
  /// `-convert`
  static func convert(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let format = try OutputFormat(invocation.arguments[0], of: .documents)
    let placement = try Placement(of: invocation, format: format, inPlace: true)
    for result in placement.results {
      let writer = ResultWriter(
        format, for: invocation, source: result.input, header: result.header?.name)
      var header: Data?
      var transformation = Transformation { document, _ in
        let written = try writer.result(of: document.value)
        header = written.header
        return written
      }
      transformation.perform(
        on: result.input, to: result.destination, silent: invocation.has(Option.silent), in: session
      )
      if let header { result.header?.write(header, in: session) }
    }
  }

  /// `-extract`
  static func extract(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let path = PlistKeyPath(invocation.arguments[0])
    let format = try OutputFormat(invocation.arguments[1], of: .values)
    let expected = try ValueType.expected(by: invocation)
    let placement = try Placement(of: invocation, format: format, inPlace: false)
    let silent = invocation.has(Option.silent)
    for result in placement.results {
      let input = result.input
      guard let source = input.open(whole: path.isRoot, warns: !silent, in: session),
        expected == nil
          || kind(at: path, in: source, expected: expected, of: input, in: session) != nil,
        let value = source.find(at: path, of: input, in: session, source.value)
      else { continue }
      let writer = ResultWriter(format, for: invocation, source: input, header: result.header?.name)
      do {
        let written = try writer.result(of: value)
        if !silent, let rounding = written.rounding {
          session.warn(ofRounding: rounding, about: input.name)
        }
        result.destination.write(written.data, in: session)
        if let header = written.header { result.header?.write(header, in: session) }
      } catch {
        session.report("\(error)", about: input.name)
      }
    }
  }

  /// `-create`
  static func create(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let format = try OutputFormat(invocation.arguments[0], of: .propertyLists)
    let path = invocation.operands[0]
    do {
      let data = try ResultWriter(format, for: invocation).result(of: [:]).data
      guard path != "-" else { return session.write(data) }
      if let special = SpecialFile(path) { return try special.write(data, to: path) }
      try AtomicFile(path).update(limit: PlistLimits().maximumSize) { present in
        guard case .missing = present else { throw FileSystemError(.create, code: EEXIST) }
        return data
      }
    } catch {
      session.report("\(error)", about: path)
    }
  }
}
