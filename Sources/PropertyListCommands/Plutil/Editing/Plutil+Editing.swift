internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// The verbs that change a value in its file.
extension Plutil {
  /// `-insert`, `-replace` and `-remove`, also several of them.
  static func edit(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let silent = invocation.has(Option.silent)
    var edits: [Edit] = []
    for part in invocation.earlier + [invocation] {
      edits.append(
        Edit(
          path: PlistKeyPath(part.arguments[0]),
          action: try action(of: part, silent: silent, in: session)))
    }
    let outputs = try Output.all(of: invocation, default: .inPlace)
    try Output.checkInputsDiffer(outputs)
    for output in outputs {
      output.transform(silent: silent, in: session) { document, data in
        try contents(of: output, making: edits, in: document, data, invocation)
      }
    }
  }

  private static func action(
    of invocation: Invocation, silent: Bool, in session: Session
  ) throws(UsageError) -> Edit.Action {
    guard invocation.verb.name != "-remove" else { return .remove }
    let (value, warnings) = try ValueArgument.value(of: invocation)
    if !silent { session.warn(warnings, about: "the value") }
    guard invocation.verb.name == "-replace" else {
      return invocation.has(Option.append) ? .append(value) : .insert(value)
    }
    let isContainer = value.kind == .dictionary || value.kind == .array
    guard isContainer || !PlistKeyPath(invocation.arguments[0]).isRoot else {
      throw UsageError("the root can only be replaced with a dictionary or an array")
    }
    return .replace(value)
  }

  /// Makes all edits. Each sees the result of the one before.
  static func contents(
    of output: Output, making edits: [Edit], in document: PlistDocument, _ data: Data,
    _ invocation: Invocation
  ) throws -> Output.Contents {
    let options = PlistReadOptions(of: invocation)
    var root = document.value
    for edit in edits { try edit.apply(to: &root) }
    var output = output
    output.format = .propertyList(document.format)
    let keepsText =
      document.format != .binary && !invocation.has(Option.reformat)
      && !(document.format == .json && invocation.has(Option.readable))
    if keepsText {
      let edited = try EditedPlistDocument(data, as: document.format, options: options)
      var contents = try output.contents(editing: edited) { document throws(PlistEditError) in
        for edit in edits { try edit.apply(to: &document) }
      }
      contents.warnings += document.warnings.filter(\.isAboutCharacter).map(\.description)
      return contents
    }
    let layout = DocumentLayout(of: document, in: data, encoding: options.encoding)
    output.options.keep(layout, for: root)
    output.options.endsLine = layout.endsLine && !invocation.has(Option.noNewline)
    return try output.contents(of: root)
  }
}
