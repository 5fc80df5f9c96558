internal import CommandLineInterface
internal import Glibc
internal import Preferences
internal import PropertyList

/// The verbs that only read.
extension DefaultsTool {
  /// The title of the global domain in lists of domains.
  static let globalTitle = "Apple Global Domain"

  /// `read` without a domain
  func readAll() throws(CommandFailure) {
    var all = PlistDictionary()
    for (name, values) in try allDomains() { all[name] = .dictionary(values) }
    session.print("\(try text(of: .dictionary(all)))\n")
  }

  /// `read`
  func read(_ key: String?, of domain: DomainArgument) throws(CommandFailure) {
    warnAboutManagedFiles(of: domain)
    let values = try store(of: domain).plistRepresentation
    if let key {
      guard let value = values[key] else { throw missing(domain, key) }
      session.print("\(try text(of: value))\n")
    } else {
      guard !values.isEmpty else { throw missing(domain, nil) }
      session.print("\(try text(of: .dictionary(values)))\n")
    }
  }

  /// `read-type`
  func readType(of key: String, of domain: DomainArgument) throws(CommandFailure) {
    warnAboutManagedFiles(of: domain)
    guard let value = try store(of: domain).plistValue(forKey: key) else {
      throw missing(domain, key)
    }
    session.print("Type is \(value.kind == .real ? "float" : value.kind.rawValue)\n")
  }

  /// `domains`
  func listDomains() throws(CommandFailure) {
    var names: [String] = []
    for name in try listedNames() {
      let store = try uncheckedStore(of: DomainArgument(name: name))
      if !store.problems.isEmpty || !store.plistRepresentation.isEmpty { names.append(name) }
    }
    session.print(names.map(\.onOneLine).joined(separator: ", ") + "\n")
  }

  /// `find`
  func find(_ word: String) throws(CommandFailure) {
    let search = TextSearch(word)
    var found = false
    for (name, values) in try allDomains() {
      var matches = values
      if !search.matches(name) {
        matches = PlistDictionary(
          values.filter { search.matches($0.key) || search.matches($0.value) }
            .map { ($0.key, $0.value) })
      }
      guard !matches.isEmpty else { continue }
      found = true
      let text = try text(of: .dictionary(matches))
      session.print("Found \(matches.count) keys in domain '\(name.onOneLine)': \(text)\n")
    }
    if !found { session.note("No domain, key, nor value containing '\(word)'") }
  }

  /// `layers`
  func layers(of key: String, of domain: DomainArgument) throws {
    let store = try searchedStore(of: domain)
    let problems = store.problems
    for problem in problems { report(problem) }

    let origins = store.origins(forKey: key)
    guard !origins.isEmpty else {
      // A file that cannot be read may hold the key.
      if problems.contains(where: { !Self.isWarning($0) }) { return }
      throw CommandFailure.missing(domain, key)
    }
    for (position, origin) in origins.enumerated() {
      let role = position == 0 ? "supplies the value" : "is hidden"
      session.print("\(Self.title(of: origin.layer).onOneLine) \(role)\n")
      let text = try text(of: origin.value)
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        session.print("    \(String(line).onOneLine)\n")
      }
    }
  }

  /// `printHostIdentifier`
  func printHostIdentifier() {
    session.print("\(domains.locations.hostIdentifier)\n")
  }

  /// The kind of a layer, and its file.
  static func title(of layer: PreferencesLayer) -> String {
    title(of: layer.kind) + (layer.path.map { " (\($0))" } ?? "")
  }

  static func title(of kind: PreferencesLayer.Kind) -> String {
    switch kind {
    case .managed: "managed"
    case .argument: "arguments"
    case .environment: "environment"
    case .userHost: "user, this host"
    case .user: "user"
    case .suiteHost: "suite, this host"
    case .suite: "suite"
    case .globalHost: "global, this host"
    case .global: "global"
    case .system: "system"
    case .systemGlobal: "system, global"
    case .registration: "registered"
    }
  }

  /// The description of a value, unless it is far too long for the value.
  private func text(of value: PlistValue) throws(CommandFailure) -> String {
    return try CommandFailure.wrapping { try value.wholeDescription() }
  }

  // MARK: All domains

  /// The domains that are not empty, with the global one, in order. Problems are reported.
  private func allDomains() throws(CommandFailure) -> [(name: String, values: PlistDictionary)] {
    var all: [(name: String, values: PlistDictionary)] = []
    for name in [PreferencesStore.globalDomain] + (try listedNames()) {
      let store = try uncheckedStore(of: DomainArgument(name: name))
      for problem in store.problems { report(problem) }
      let values = store.plistRepresentation
      guard !values.isEmpty else { continue }
      all.append((name == PreferencesStore.globalDomain ? Self.globalTitle : name, values))
    }
    return all.sorted { $0.name < $1.name }
  }

  /// The names of the domains with files, without the global one.
  func listedNames() throws(CommandFailure) -> [String] {
    return try CommandFailure.wrapping { try domains.names() }
  }

  // MARK: Problems

  /// Warns about managed files that applications ignore.
  private func warnAboutManagedFiles(of domain: DomainArgument) {
    guard domain.path == nil else { return }
    for problem in domains.managedProblems(of: domain.name) { session.warn("\(problem)") }
  }

  /// Reports a file that cannot be read, or warns about a file that is ignored.
  func report(_ problem: PreferencesError) {
    if Self.isWarning(problem) {
      session.warn("\(problem)")
    } else {
      session.fail(CommandFailure.lines(about: problem))
    }
  }

  /// Whether a problem is about a file that applications ignore.
  static func isWarning(_ problem: PreferencesError) -> Bool {
    if case .untrustedManagedFile = problem { true } else { false }
  }
}

/// `watch`
extension DefaultsTool {
  /// Prints changes as they happen, and never returns.
  func watch(_ key: String?, of domain: DomainArgument) throws(CommandFailure) -> Never {
    PreferencesStore.runtimeConfiguration.watchesFiles = true
    let store = try uncheckedStore(of: domain)
    let observation =
      if let key {
        store.observe(key) { Self.print($0) }
      } else {
        store.observeAll { Self.print($0) }
      }
    // A file that cannot be read now may be repaired while it is watched.
    for problem in store.problems { session.warn(problem) }
    session.note("watching \(store.domain)")
    while true { withExtendedLifetime(observation) { _ = pause() } }
  }

  private static func print(_ change: PreferencesChange) {
    ChangeOutput.print(change.key, from: change.oldValue, to: change.newValue, of: table.name)
  }
}

/// A case-insensitive search for a word.
struct TextSearch {
  private let word: [Unicode.Scalar]

  init(_ word: String) {
    self.word = Array(word.lowercased().unicodeScalars)
  }

  func matches(_ text: String) -> Bool {
    let scalars = Array(text.lowercased().unicodeScalars)
    guard scalars.count >= word.count else { return false }
    return (0...scalars.count - word.count).contains { scalars[$0...].starts(with: word) }
  }

  /// Whether a key or string within a value contains the word.
  func matches(_ value: PlistValue) -> Bool {
    var remaining = [value]
    // Containers that a value shares are searched once.
    var searched = ContainerMemo<Void>()
    while let value = remaining.popLast() {
      if searched.result(for: value) != nil { continue }
      searched.insert((), for: value)
      switch value {
      case .string(let string):
        if matches(string) { return true }
      case .array(let elements), .set(let elements):
        remaining += elements
      case .dictionary(let dictionary):
        for (key, value) in dictionary {
          if matches(key) { return true }
          remaining.append(value)
        }
      default: break
      }
    }
    return false
  }
}
