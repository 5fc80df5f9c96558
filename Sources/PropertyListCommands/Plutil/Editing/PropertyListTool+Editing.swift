internal import CommandLineInterface
internal import PropertyList

/// The verbs that change a value in its file.
extension PropertyListTool {
  /// `-insert`
  static func insert(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let value = try value(of: invocation, in: session)
    try edit(
      invocation, by: invocation.has(Option.append) ? .append(value) : .insert(value), in: session)
  }

  /// `-replace`
  static func replace(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let value = try value(of: invocation, in: session)
    let isContainer = value.kind == .dictionary || value.kind == .array
    guard isContainer || !PlistKeyPath(invocation.arguments[0]).isRoot else {
      throw UsageError("the root can only be replaced with a dictionary or an array")
    }
    try edit(invocation, by: .replace(value), in: session)
  }

  /// `-remove`
  static func remove(_ invocation: Invocation, in session: Session) throws(UsageError) {
    try edit(invocation, by: .remove, in: session)
  }

  private static func value(
    of invocation: Invocation, in session: Session
  ) throws(UsageError) -> PlistValue {
    let (value, warnings) = try ValueArgument.value(of: invocation)
    if !invocation.has(Option.silent) { session.warn(warnings, about: "the value") }
    return value
  }

  private static func edit(
    _ invocation: Invocation, by action: Edit.Action, in session: Session
  ) throws(UsageError) {
    let edit = Edit(path: PlistKeyPath(invocation.arguments[0]), action: action)
    let placement = try Placement(of: invocation, default: .inPlace)
    try placement.checkInputsDiffer()
    let options = PlistReadOptions(of: invocation)
    var transformation = Transformation { document, data in
      var root = document.value
      try edit.apply(to: &root)
      var writer = ResultWriter(.propertyList(document.format), for: invocation)
      let keepsText =
        document.format != .binary && !invocation.has(Option.reformat)
        && !(document.format == .json && invocation.has(Option.readable))
      if keepsText {
        let edited = try EditedPlistDocument(data, as: document.format, options: options)
        var result = try writer.result(editing: edited, edit.apply)
        result.warnings += document.warnings.filter(\.isAboutCharacter).map(\.description)
        return result
      }
      let layout = DocumentLayout(of: document, in: data, encoding: options.encoding)
      writer.options.keep(layout, for: root)
      writer.options.endsLine = layout.endsLine && !invocation.has(Option.noNewline)
      return try writer.result(of: root)
    }
    for result in placement.results {
      transformation.perform(result, silent: invocation.has(Option.silent), in: session)
    }
  }
}
