internal import CommandLineInterface
internal import Manifests
internal import Preferences
internal import PropertyList

/// The words with which shells complete operands.
extension DefaultsTool {
  /// The completions of an operand after other operands.
  static func completions(
    of arguments: [CommandLineTool.Argument], after before: Invocation, _ current: String
  ) -> [CommandLineTool.Completion] {
    guard arguments.first == domain else { return [] }
    guard let tool = try? DefaultsTool(before, in: Session(tool: table.name)) else { return [] }
    switch before.operands {
    case []:
      let completions = tool.domainCompletions(current, of: before.verb)
      return completions == [.files] ? completions : completions + [.words(DomainArgument.options)]
    case ["-app"], ["--"]:
      return tool.domainCompletions(current, of: before.verb)
    default:
      var words = before.operands[...]
      guard let domain = try? DomainArgument.take(from: &words) else { return [] }
      return tool.completions(of: arguments, in: domain, after: words, before.verb)
    }
  }

  /// The completions of a word after `reset`: a domain, or one of its keys.
  @Sendable
  static func resetCompletions(
    after before: Invocation, _ current: String
  ) -> [CommandLineTool.Completion] {
    var before = before
    var words = before.operands[...]
    if (try? DomainArgument.take(from: &words)) != nil { before.operands.removeLast(words.count) }
    return completions(of: [domain, key], after: before, current)
  }

  /// The verbs that also take domains and keys without values, known only from a manifest.
  private static let verbsOfDescriptions = ["write", "describe", "keys", "check", "watch"]

  /// The names of domains, or files for the beginning of a path.
  private func domainCompletions(
    _ current: String, of verb: CommandLineTool.Verb
  ) -> [CommandLineTool.Completion] {
    if current.utf8.contains(UInt8(ascii: "/")) || current.hasPrefix(".") { return [.files] }
    var names = (try? domains.names()) ?? []
    if Self.verbsOfDescriptions.contains(verb.name) {
      names = Set(names + manifests.domains).sorted()
    }
    return [.words(names + [PreferencesStore.globalDomain])]
  }

  /// The completions of the operand after a domain and further words.
  private func completions(
    of arguments: [CommandLineTool.Argument], in domain: DomainArgument,
    after words: ArraySlice<String>, _ verb: CommandLineTool.Verb
  ) -> [CommandLineTool.Completion] {
    let position = 1 + words.count
    let manifest = (try? manifest(of: domain))?.manifest
    if arguments.contains(Self.value), let key = words.first {
      let values = words.count > 1 ? [] : manifest.map { Self.values(of: key, in: $0) } ?? []
      return [.terms(values), .words(ValueArguments.completions(after: words.dropFirst()))]
    }
    guard position < arguments.count else { return [] }
    guard arguments[position] == Self.key else { return [arguments[position].completion] }
    var names = Set((try? uncheckedStore(of: domain))?.plistRepresentation.keys.map(\.self) ?? [])
    if Self.verbsOfDescriptions.contains(verb.name) { names.formUnion(manifest?.names ?? []) }
    return [
      .terms(
        names.sorted().map { name in
          let key = manifest?.key(at: PlistKeyPath(components: [name]))
          return CommandLineTool.Term(name, ManifestText.excerpt(key?.title))
        })
    ]
  }

  /// The values that a manifest lists for a key, with their titles.
  private static func values(
    of name: String, in manifest: PreferencesManifest
  ) -> [CommandLineTool.Term] {
    guard let key = manifest.key(at: PlistKeyPath(components: [name])), !key.isSensitive else {
      return []
    }
    if key.type == .boolean { return ["true", "false"].map { CommandLineTool.Term($0, "") } }
    return (key.allowedValues ?? []).enumerated().map { index, value in
      let titles = key.allowedValueTitles
      let text = if case .string(let text) = value { text } else { value.leafText }
      return CommandLineTool.Term(
        text, titles.indices.contains(index) ? ManifestText.excerpt(titles[index]) : "")
    }
  }
}
