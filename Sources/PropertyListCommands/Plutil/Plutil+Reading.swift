internal import CommandLineInterface
internal import PropertyList

/// `-type`, and what it shares with `-extract`.
extension Plutil {
  /// `-type`
  static func type(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let path = PlistKeyPath(invocation.arguments[0])
    let expected = try ValueType.expected(by: invocation)
    let silent = invocation.has(Option.silent)
    for output in try Output.all(of: invocation, format: .raw, default: .standardOutput) {
      let input = output.input
      guard let source = input.open(whole: false, warns: false, notes: !silent, in: session),
        let kind = kind(at: path, in: source, expected: expected, of: input, in: session)
      else { continue }
      output.write(output.contents(ofText: ValueType.name(of: kind)), in: session)
    }
  }

  /// The kind of the value at the end of a path; nil after reporting that there is no value, or one
  /// of another kind than expected.
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
