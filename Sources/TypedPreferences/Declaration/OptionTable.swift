internal import Manifests
internal import Preferences
internal import PropertyList

/// The command-line options of declared keys.
struct OptionTable {
  private let keys: [(option: String, key: SettableKey)]

  init(_ keys: [SettableKey]) {
    self.keys = keys.compactMap { key in key.option.map { ($0, key) } }
  }

  /// An option of a command line.
  private struct Match {
    var key: SettableKey
    /// The option as errors spell it.
    var text: String
    var isNegated = false
    /// The text after an equals sign; nil for none.
    var value: String?
  }

  /// Parses the declared options of a command line.
  ///
  /// If an option is repeated, the last value is used; the values of an array's option are
  /// collected.
  ///
  /// - Returns: The values, and the other arguments.
  func parse(
    _ arguments: [String]
  ) throws(PreferencesCommandError) -> (parsed: ParsedArguments, rest: [String]) {
    var parsed = ParsedArguments()
    var rest: [String] = []
    var remaining = arguments[...]
    while let argument = remaining.popFirst() {
      if argument == "--" { return (parsed, rest + [argument] + remaining) }
      guard let match = match(argument) else {
        rest.append(argument)
        continue
      }
      let value = try value(of: match, &remaining)
      let name = match.key.name
      if case .array(let old)? = parsed.values[name], case .array(let new) = value {
        parsed.values[name] = .array(old + new)
      } else {
        parsed.values[name] = value
      }
      if let value = parsed.values[name], let refusal = match.key.refusal(of: value) {
        throw .refusedOption(match.text, expected: refusal.expected)
      }
      parsed.options[name] = match.text
    }
    return (parsed, rest)
  }

  private func match(_ argument: String) -> Match? {
    guard argument.utf8.starts(with: "--".utf8) else { return nil }
    let parts = argument.utf8.dropFirst(2).split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first.map({ String($0) }) ?? nil else { return nil }
    let value = parts.count > 1 ? String(parts[1]) : nil
    if let (_, key) = keys.first(where: { $0.option == name }) {
      return Match(key: key, text: "--" + name, value: value)
    }
    guard name.hasPrefix("no-"),
      let (_, key) = keys.first(where: { $0.option == name.dropFirst(3) }),
      key.key.type == .boolean
    else { return nil }
    return Match(key: key, text: "--" + name, isNegated: true, value: value)
  }

  private func value(
    of match: Match, _ remaining: inout ArraySlice<String>
  ) throws(PreferencesCommandError) -> PlistValue {
    let key = match.key
    if match.isNegated {
      if match.value != nil { throw .refusedOption(match.text, expected: "no value") }
      return false
    }
    guard let text = match.value ?? (key.key.type == .boolean ? "true" : remaining.popFirst())
    else { throw .missingValue(match.text, expected: key.expectation) }
    do throws(SettableKey.Refusal) { return try key.value(of: text) } catch {
      throw .refusedOption(match.text, expected: error.expected)
    }
  }

  // MARK: Help

  /// All options with their dashes.
  var names: [String] {
    keys.flatMap { option, key in
      ["--" + option] + (key.key.type == .boolean ? ["--no-" + option] : [])
    }
  }

  /// Two lines for each option: how it is written, and what it is for.
  var help: String {
    keys.map { option, key in
      var usage = "  --\(option) <\(Self.placeholder(of: key))>"
      if key.key.type == .boolean { usage = "  --[no-]\(option)" }
      let texts = [key.summary, "(\(key.facts))"].compactMap(\.self)
      return "\(usage)\n      \(texts.joined(separator: " "))\n"
    }.joined()
  }

  static func placeholder(of key: SettableKey) -> String {
    if case .string(let word)? = key.key.placeholder { return word }
    if !key.key.isSensitive, 1...5 ~= key.choices.count {
      return key.choices.map(key.text).joined(separator: "|")
    }
    if let unit = key.key.unit { return unit }
    return switch key.key.type {
    case .integer, .real: "number"
    case .array: "list"
    case .url: "address"
    case .string, .alias, .unionPolicy, nil: "text"
    case .boolean, .date, .data, .dictionary: key.key.type?.rawValue ?? ""
    }
  }
}
