internal import CommandLineInterface
internal import Preferences
internal import PropertyList

/// The words shells complete operands with.
extension DefaultsTool {
  /// The completions of the operand after others.
  ///
  /// - Parameter arguments: The verb's operands, in order.
  static func completions(
    of arguments: [CommandLineTool.Argument], after before: Invocation, _ current: String
  ) -> [CommandLineTool.Completion] {
    guard let first = arguments.first else { return [] }
    guard first == domain else { return [] }
    guard let tool = try? DefaultsTool(before, in: Session(tool: table.name)) else { return [] }
    switch before.operands {
    case []:
      let completions = tool.domainCompletions(current)
      return completions == [.files] ? completions : completions + [.words(DomainArgument.options)]
    case ["-app"], ["--"]:
      return tool.domainCompletions(current)
    default:
      var words = before.operands[...]
      guard let domain = try? DomainArgument.take(from: &words) else { return [] }
      return tool.completions(of: arguments, in: domain, after: words)
    }
  }

  /// The completions of a word after `inspect`: a domain, an option, or its argument.
  @Sendable
  static func inspectionCompletions(
    after before: Invocation, _ current: String
  ) -> [CommandLineTool.Completion] {
    if let last = before.operands.last, InspectionArguments.options.contains(last) {
      return [.files]
    }
    guard let arguments = try? InspectionArguments(before.operands) else { return [] }
    var domain = before
    domain.operands = Array(arguments.domain)
    let options = CommandLineTool.Completion.words(InspectionArguments.options)
    guard domain.operands.isEmpty || domain.operands == ["-app"] || domain.operands == ["--"] else {
      return [options]
    }
    return completions(of: [Self.domain], after: domain, current) + [options]
  }

  /// The names of domains, or files for the beginning of a path.
  private func domainCompletions(_ current: String) -> [CommandLineTool.Completion] {
    if current.utf8.contains(UInt8(ascii: "/")) || current.hasPrefix(".") { return [.files] }
    let names = (try? domains.names()) ?? []
    return [.words(names + [PreferencesStore.globalDomain])]
  }

  /// The completions of the operand after a domain and further words.
  private func completions(
    of arguments: [CommandLineTool.Argument], in domain: DomainArgument,
    after words: ArraySlice<String>
  ) -> [CommandLineTool.Completion] {
    let position = 1 + words.count
    if arguments.contains(Self.value), words.count > 0 {
      return [.words(ValueArguments.completions(after: words.dropFirst()))]
    }
    guard position < arguments.count else { return [] }
    guard arguments[position] == Self.key else { return [arguments[position].completion] }
    let store = try? uncheckedStore(of: domain)
    return [.words(store?.plistRepresentation.keys.sorted() ?? [])]
  }
}
