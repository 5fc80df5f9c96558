internal import FoundationEssentials
internal import Glibc
public import Manifests
public import Preferences
internal import PropertyList

/// The `config` command of a program: it lists, describes, prints, sets and resets the keys of a
/// manifest.
///
/// ```swift
/// let command = PreferencesCommand(manifest)
/// let arguments = command.start()     // answers `config …` and `--manifest`
/// ```
///
/// A program with its own argument parser calls ``list()``, ``describe(_:)``, ``get(_:)``,
/// ``set(_:to:)`` and ``reset(_:)``, or ``run(_:)`` with the words after `config`. The texts end
/// without a line break, except for the whole output of ``run(_:)``.
public struct PreferencesCommand: Sendable {
  /// The manifest.
  public let manifest: PreferencesManifest
  private let chosenStore: PreferencesStore?
  private let keys: [SettableKey]

  /// Creates the command.
  ///
  /// - Parameters:
  ///   - manifest: The manifest, which the program declares or has read from a file.
  ///   - store: The store of the values; nil for `PreferencesStore.standard`.
  public init(_ manifest: PreferencesManifest, store: PreferencesStore? = nil) {
    (self.manifest, chosenStore, keys) = (manifest, store, manifest.declaredKeys)
  }

  private var store: PreferencesStore { chosenStore ?? .standard }

  // MARK: Keys

  /// All keys, each with its value, what it is for, its type, limits and default, and where the value
  /// comes from, in blocks that an empty line separates.
  public func list() -> String {
    keys.map { lines(of: $0).joined(separator: "\n") }.joined(separator: "\n\n")
  }

  /// What ``list()`` says about one key, with the option that supplies a value, and the values that
  /// other layers have.
  ///
  /// - Throws: ``PreferencesCommandError/unknownKey(_:nearest:)``.
  public func describe(_ name: String) throws(PreferencesCommandError) -> String {
    let key = try key(name)
    var lines = lines(of: key)
    if let option = key.option {
      let placeholder = OptionTable.placeholder(of: key)
      lines.append(
        key.key.type == .boolean
          ? "  option --[no-]\(option)" : "  option --\(option) <\(placeholder)>")
    }
    if !key.key.holdsSecret {
      for origin in store.origins(forKey: name).dropFirst() where origin.layer.kind != .registration
      {
        lines.append("  hidden: \(key.text(of: origin.value)) from \(origin.layer.place)")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The value of a key as ``set(_:to:)`` reads it: a string itself, an array or a dictionary as
  /// JSON.
  ///
  /// - Throws: ``PreferencesCommandError/unknownKey(_:nearest:)``,
  ///   ``PreferencesCommandError/noValue(key:)``, or ``PreferencesCommandError/secret(key:)``.
  public func get(_ name: String) throws(PreferencesCommandError) -> String {
    let key = try key(name)
    if key.key.holdsSecret { throw .secret(key: name) }
    guard let value = key.current(in: store).value else { throw .noValue(key: name) }
    return key.text(of: value)
  }

  /// Sets a key to the value that a text represents, and saves it.
  ///
  /// | type | text |
  /// |---|---|
  /// | integer, real | a decimal number |
  /// | Boolean | `true`, `false`, `yes`, `no`, `on`, `off`, `1` or `0`, in any case |
  /// | string, address | the text |
  /// | enumeration | a raw value or the name of a case |
  /// | date | `2024-03-01T12:00:00Z` or `2024-03-01` |
  /// | data | Base64 |
  /// | array, set | `a, b` or `["a", "b"]` |
  /// | dictionary | `{"width": 80}`; members that the text lacks are unchanged |
  ///
  /// Environment variables and options are read in the same way.
  ///
  /// - Throws: ``PreferencesCommandError``; the value is then unchanged, unless saving failed.
  public func set(_ name: String, to text: String) throws(PreferencesCommandError) {
    let key = try changeableKey(name)
    let value: PlistValue
    do throws(SettableKey.Refusal) {
      value = try key.value(of: text, replacing: store.ownValue(forKey: name))
    } catch {
      let place = PlistKeyPath(components: [name] + error.place.components)
      throw .refusedValue(key: place.excerpt, expected: error.expected)
    }
    try change { () throws(PreferencesError) in try store.setAny(value, forKey: name) }
  }

  /// Removes the values of keys, so that they have their defaults, and saves that.
  ///
  /// - Throws: ``PreferencesCommandError``. Nothing is removed if one of the names is not a key.
  public func reset(_ names: [String]) throws(PreferencesCommandError) {
    for name in names { _ = try changeableKey(name) }
    for name in names { store.removeObject(forKey: name) }
    try change { () throws(PreferencesError) in }
  }

  private func key(_ name: String) throws(PreferencesCommandError) -> SettableKey {
    if let key = keys.first(where: { $0.name == name }) { return key }
    throw .unknownKey(name, nearest: Suggestion.nearest(to: name, among: keys.map(\.name)))
  }

  private func changeableKey(_ name: String) throws(PreferencesCommandError) -> SettableKey {
    let key = try key(name)
    if let layer = store.origin(forKey: name)?.layer, layer.kind == .managed {
      throw .managed(key: name, path: layer.place)
    }
    return key
  }

  private func change(
    _ body: () throws(PreferencesError) -> Void
  ) throws(PreferencesCommandError) {
    do throws(PreferencesError) {
      try body()
      try store.flush()
    } catch {
      throw .store("\(error)")
    }
  }

  private func lines(of key: SettableKey) -> [String] {
    let current = key.current(in: store)
    let value = current.value.map { " = \(key.text(of: $0))" } ?? " has no value"
    return [
      key.name.onOneLine + value, key.summary.map { "  \($0)" }, "  \(key.facts)",
      "  \(key.originText(in: store))", current.problem.map { "  \($0)" },
    ].compactMap(\.self)
  }

  // MARK: Command line

  /// Two lines for each command-line option that the manifest declares, for the program's help.
  public var optionHelp: String { OptionTable(keys).help }

  /// The result of ``run(_:)``.
  public struct Outcome: Sendable, Hashable {
    /// The exit status: 0, 1 for an error, or 2 for a wrong command line.
    public var status: Int32 = 0
    /// The text for standard output.
    public var output = ""
    /// The text for standard error.
    public var error = ""

    package init(status: Int32 = 0, output: String = "", error: String = "") {
      (self.status, self.output, self.error) = (status, output, error)
    }
  }

  /// Runs the command.
  ///
  /// - Parameter arguments: The words after `config`: `list`, `describe KEY`, `get KEY`,
  ///   `set KEY VALUE`, `reset KEY…`, or none for `list`.
  public func run(_ arguments: [String]) -> Outcome {
    do throws(PreferencesCommandError) {
      return try outcome(of: arguments.filter { $0 != "--" })
    } catch {
      return Outcome(status: error.status, error: "\(error)\n")
    }
  }

  private func outcome(of arguments: [String]) throws(PreferencesCommandError) -> Outcome {
    let words = Array(arguments.dropFirst())
    switch (arguments.first ?? "list", words.count) {
    case ("list", 0): return Outcome(output: list() + "\n")
    case ("describe", 1): return Outcome(output: try describe(words[0]) + "\n")
    case ("get", 1): return Outcome(output: try get(words[0]) + "\n")
    case ("set", 2):
      try set(words[0], to: words[1])
      return Outcome(error: note(on: words[0]).map { $0 + "\n" } ?? "")
    case ("reset", 1...):
      try reset(words)
      return Outcome()
    case ("help", 0), ("--help", 0): return Outcome(output: "usage: \(Self.usage)\n")
    case (let verb, _) where !Self.verbs.contains(verb):
      throw .usage(
        "unknown command \(verb.onOneLine)\(Suggestion.text(for: verb, among: Self.verbs))")
    default: throw .usage("usage: \(Self.usage)")
    }
  }

  private static let verbs = ["list", "describe", "get", "set", "reset"]
  private static let usage =
    "config list | describe KEY | get KEY | set KEY VALUE | reset KEY..."

  /// A note that another layer shadows the value that was set; nil if none does.
  private func note(on name: String) -> String? {
    guard let layer = store.origin(forKey: name)?.layer, layer.kind < .user,
      let key = keys.first(where: { $0.name == name })
    else { return nil }
    return "\(name) is saved, but the value \(key.originText(in: store)) counts"
  }

  /// Names the application's domain by the manifest, and handles the parts of the command line that
  /// are about preferences: it reads declared options, and answers `config …` and `--manifest`.
  ///
  /// The program ends after an answer, and after an error, which is printed with the program's name.
  ///
  /// - Parameter arguments: The command line without the program's name.
  /// - Returns: The other arguments.
  public func start(
    _ arguments: [String] = Array(CommandLine.arguments.dropFirst())
  ) -> [String] {
    do {
      let rest = try PreferencesStore.setApplication(manifest, arguments: arguments)
      switch rest.first {
      case "config": run(Array(rest.dropFirst())).end()
      case "--manifest": Outcome(output: try document()).end()
      default: return rest
      }
    } catch {
      let status = (error as? PreferencesCommandError)?.status ?? 1
      Outcome(status: status, error: "\(error)\n").end()
    }
  }

  /// Ends the program with the error for an unknown argument: `unknown option --tab-widht; did you
  /// mean --tab-width?`.
  ///
  /// - Parameter argument: One of the arguments that ``start(_:)`` has returned.
  public func refuse(_ argument: String) -> Never {
    let isOption = argument.hasPrefix("-")
    let known = isOption ? OptionTable(keys).names : ["config"]
    let name = argument.prefix { $0 != "=" }.description
    let text =
      isOption && name != argument && (known + ["--manifest"]).contains(name)
      ? "\(name) takes no value"
      : "unknown \(isOption ? "option" : "command") \(name.onOneLine)"
        + Suggestion.text(for: name, among: known + ["--manifest"])
    Outcome(status: 2, error: "\(text)\n").end()
  }

  /// The manifest as an XML property list, which packages install as
  /// `share/preferences/manifests/DOMAIN.plist`.
  ///
  /// - Throws: `PlistError` if a text contains characters that XML does not allow.
  public func document() throws -> String {
    String(decoding: try Plist.write(manifest.propertyList, as: .xml), as: UTF8.self)
  }
}

extension PreferencesCommand.Outcome {
  /// Prints the texts, and ends the program.
  public func end() -> Never {
    print(output, terminator: "")
    if !error.isEmpty {
      let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
      let text = Array("\(program): \(error)".utf8)
      _ = text.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
    exit(status)
  }
}

/// Why a program's `config` command, or its command line, was refused.
public enum PreferencesCommandError: Error, Sendable, Hashable {
  /// The manifest has no such key. The nearest name is included, if there is one.
  case unknownKey(String, nearest: String?)
  /// The text does not represent a value that the key may have.
  case refusedValue(key: String, expected: String)
  /// The value of an option, such as `--tab-width`, is not one that the key may have.
  case refusedOption(String, expected: String)
  /// An option, such as `--tab-width`, has no value.
  case missingValue(String, expected: String)
  /// The key has neither a value nor a default.
  case noValue(key: String)
  /// The value of the key is secret and not printed.
  case secret(key: String)
  /// The administrator manages the key, in this file.
  case managed(key: String, path: String)
  /// The store cannot be changed or saved, for this reason.
  case store(String)
  /// The command line is wrong, for this reason.
  case usage(String)
}

extension PreferencesCommandError: CustomStringConvertible {
  /// One line without values.
  public var description: String {
    switch self {
    case .unknownKey(let name, let nearest):
      "unknown key \(name.onOneLine)\(Suggestion.text(nearest))"
    case .refusedValue(let name, let expected), .refusedOption(let name, let expected):
      "\(name): expected \(expected)"
    case .missingValue(let option, let expected): "\(option) needs a value: \(expected)"
    case .noValue(let key): "\(key) has no value"
    case .secret(let key): "\(key): the value is secret and is not printed"
    case .managed(let key, let path):
      "\(key): managed by the administrator in \(path); nothing was changed"
    case .store(let reason), .usage(let reason): reason
    }
  }

  /// The exit status for the error: 2 for a wrong command line, otherwise 1.
  public var status: Int32 {
    switch self {
    case .usage, .refusedOption, .missingValue: 2
    default: 1
    }
  }
}
