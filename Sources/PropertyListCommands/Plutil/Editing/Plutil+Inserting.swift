internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// The verbs that change a value in its file.
extension Plutil {
  /// `-insert`, `-replace` and `-remove`, which can be combined.
  static func edit(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let silent = invocation.has(.silent)
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
      return invocation.has(.append) ? .append(value) : .insert(value)
    }
    let isContainer = value.kind == .dictionary || value.kind == .array
    guard isContainer || !PlistKeyPath(invocation.arguments[0]).isRoot else {
      throw UsageError("the root can only be replaced with a dictionary or an array")
    }
    return .replace(value)
  }

  /// Makes all edits. Each edit is applied to the result of the previous one.
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
      document.format != .binary && !invocation.has(.reformat)
      && !(document.format == .json && invocation.has(.readable))
    if keepsText {
      let edited = try EditedPlistDocument(data, as: document.format, options: options)
      var contents = try output.contents(editing: edited) { document throws(PlistEditError) in
        for edit in edits { try edit.apply(to: &document) }
      }
      contents.warnings += document.warnings.filter(\.isAboutCharacter).map(\.description)
      return contents
    }
    output.options.keep(
      DocumentLayout(of: document, in: data, encoding: options.encoding), for: root)
    if invocation.has(.noNewline) { output.options.endsLine = false }
    return try output.contents(of: root)
  }
}

/// The value of `-insert` and `-replace`: an option that names the type, with the text of the
/// value.
enum ValueArgument {
  /// The options, one of which is required.
  static let options: [CommandLineTool.Option] = [
    .init(
      "-bool value", "A boolean: \(PlistValue.booleanWordList)",
      completion: .words(["true", "false"])),
    .init("-integer value", "An integer from -2^63 to 2^64-1, such as 42, -1 or 0x2A"),
    .init("-float value", "A real, such as 2.5, 1e-3, infinity or nan"),
    .init("-string value", "A string, used as is"),
    .init(
      "-date value",
      "A date, such as 2024-01-31T23:59:59Z, 2024-01-31T23:59:59+01:00 or 2024-01-31"),
    .init("-data value", "Data in base64, such as AQID"),
    .init("-xml value", "A value of any type as XML, such as <array/>; <plist> is optional"),
    .init("-json value", "A value as JSON, such as [1, \"x\"]"),
    .init("-array", "An empty array"),
    .init("-dictionary", "An empty dictionary"),
  ]

  /// The value on a command line, and the warnings about its text.
  static func value(
    of invocation: Invocation
  ) throws(UsageError) -> (value: PlistValue, warnings: [PlistWarning]) {
    let given = options.filter(invocation.has)
    guard let option = given.first, given.count == 1 else {
      throw UsageError(
        given.isEmpty
          ? "\(invocation.verb.name) needs a type and a value, such as -string text or -bool yes"
          : "\(given.map(\.name).joined(separator: " and ")) cannot be used together")
    }
    let text = invocation.argument(of: option) ?? ""
    do throws(PlistError.Kind) {
      switch option.name {
      case "-bool": return (try PlistValue(booleanText: text), [])
      case "-integer": return (try PlistValue(integerText: text), [])
      case "-float": return (try PlistValue(realText: text), [])
      case "-string": return (.string(text), [])
      case "-date": return (try PlistValue(dateText: text), [])
      case "-data":
        guard let data = Data(base64Encoded: text) else { throw .malformedBase64 }
        return (.data(data), [])
      case "-array": return (.array([]), [])
      case "-dictionary": return (.dictionary([:]), [])
      default: break
      }
    } catch {
      throw UsageError("\(option.name) \(text): \(error)")
    }
    do throws(PlistError) {
      let format: PlistFormat = option.name == "-xml" ? .xml : .json
      let document = try Plist.read(Data(text.utf8), as: format)
      // The element <plist> may be omitted on a command line.
      return (document.value, document.warnings.filter { $0.kind != .noPlistElement })
    } catch {
      throw UsageError("\(option.name): \(error)")
    }
  }
}

/// A change of one value in a property list.
struct Edit {
  enum Action {
    case insert(PlistValue)
    case append(PlistValue)
    case replace(PlistValue)
    case remove
  }

  let path: PlistKeyPath
  let action: Action

  func apply(to document: inout EditedPlistDocument) throws(PlistEditError) {
    switch action {
    case .insert(let value): try document.insert(value, at: path)
    case .append(let value): try document.append(value, toArrayAt: path)
    case .replace(let value): try document.replace(at: path, with: value)
    case .remove: try document.remove(at: path)
    }
  }

  /// Changes the root of a property list.
  ///
  /// - Throws: A ``MissingValue`` if a required value does not exist, or another error that says why
  ///   the value cannot be changed.
  func apply(to root: inout PlistValue) throws {
    do throws(PlistEditError) {
      switch action {
      case .insert(let value): try root.insert(value, at: path)
      case .append(let value): try root.append(value, toArrayAt: path)
      case .replace(let value): try root.replace(at: path, with: value)
      case .remove: try root.remove(at: path)
      }
    } catch {
      switch error.kind {
      case .missing: throw MissingValue(at: requiredPath, for: path, in: root, isRemoval: isRemoval)
      case .alreadyExists where !path.isRoot:
        throw CommandFailure(
          "Value already exists at key path \(path.excerpt); use -replace to change it")
      default: throw error
      }
    }
  }

  private var isRemoval: Bool { if case .remove = action { true } else { false } }

  /// The path of the value that must exist before the change.
  private var requiredPath: PlistKeyPath {
    switch action {
    case .insert, .replace: PlistKeyPath(components: path.components.dropLast())
    case .append, .remove: path
    }
  }
}

/// The error for a key path without a value in a property list to change. It names the first
/// missing component.
private struct MissingValue: Error, CustomStringConvertible {
  let description: String

  /// - Parameters:
  ///   - path: A path without a value.
  ///   - edited: The path of the edit: this one, or the path of a value in it.
  ///   - root: The property list where the path was looked up.
  ///   - isRemoval: Whether the edit would remove the value.
  init(at path: PlistKeyPath, for edited: PlistKeyPath, in root: PlistValue, isRemoval: Bool) {
    var nearest = path
    repeat { nearest.components.removeLast() } while root[nearest] == nil
    let component = path.components[nearest.components.count]
    let key = PlistKeyPath(components: [component]).excerpt
    let missing = PlistKeyPath(components: nearest.components + [component])
    let container = nearest.isRoot ? "the root" : nearest.excerpt
    let reason =
      switch root[nearest] {
      case .dictionary? where isRemoval:
        path.components.count == 1 ? "" : "; \(container) has no key \(key)"
      case .dictionary?: "; insert \(missing.excerpt) first, with -dictionary or -array"
      case .array(let elements)? where UInt(component) != nil:
        "; \(container) has \(elements.count.counted("element"))"
      case let value?: "; \(container) is \(value.kind.withArticle)"
      case nil: ""
      }
    description =
      "No value \(isRemoval ? "to remove " : "")at key path \(path.excerpt)\(reason)"
      + edited.hint { root[$0] }
  }
}
