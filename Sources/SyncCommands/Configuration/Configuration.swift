internal import CommandLineInterface
internal import EtcdStore
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import Preferences
internal import PreferencesSync
internal import PropertyList

/// The domains that are kept in sync, and their cluster: the contents of a configuration file.
struct Configuration: Sendable, Equatable {
  var path: String
  /// How to connect to the cluster. The prefix applies to all names that Larder uses there.
  var connection: EtcdStore.Options
  var stateFolder: String
  var domains: [String: [String]] = [:]
  /// The domains whose managed preferences are replicated to this machine; nil for none.
  var managed: ManagedSelection?

  /// A choice of domains.
  enum ManagedSelection: Sendable, Equatable {
    /// All domains with managed preferences in the cluster.
    case all
    case domains([String])
  }

  /// The path of the configuration of the machine.
  static let machinePath = "/etc/larder/sync.plist"

  /// The path of the default configuration: the machine's for root, and otherwise the user's.
  static var defaultPath: String {
    geteuid() == 0
      ? machinePath : UserFolders.standard.configuration + "/larder/sync.plist"
  }

  /// The folder of the state files unless the configuration names one.
  static var defaultStateFolder: String {
    geteuid() == 0 ? "/var/lib/larder-sync" : UserFolders.standard.state + "/larder-sync"
  }

  /// Reads a configuration file, which only its owner, the user of the process or root, may change.
  static func load(_ path: String) throws(ConfigurationError) -> Configuration {
    let path = FilePath.absolute(path)
    let data: Data
    do throws(EtcdError) {
      data = try ProtectedFile.read(path, .published)
    } catch {
      throw ConfigurationError(lines: ["\(error)"])
    }
    let document: PlistDocument
    do throws(PlistError) {
      document = try Plist.read(data)
    } catch {
      throw ConfigurationError(lines: ["\(path): \(error)"])
    }
    var reader = ConfigurationReader(path, document.format)
    let configuration = reader.configuration(document.value)
    guard let configuration, reader.problems.isEmpty else {
      throw ConfigurationError(lines: reader.problems)
    }
    return configuration
  }
}

/// The mistakes in a configuration file.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  /// A line for each mistake: the file, the key path, and what was expected.
  var lines: [String]

  var description: String { lines.joined(separator: "\n") }
}

/// Reads a configuration from a property list, and collects all mistakes.
struct ConfigurationReader {
  private let path: String
  /// Whether texts represent numbers and booleans, which the format lacks.
  private let hasTextsOnly: Bool
  /// A line for each mistake so far.
  private(set) var problems: [String] = []

  init(_ path: String, _ format: PlistFormat) {
    self.path = path
    hasTextsOnly = format == .openStep
  }

  private enum Name: String, CaseIterable {
    case endpoints, prefix, certificateAuthorityFile, certificateFile, privateKeyFile, user,
      passwordFile, connectTimeout, requestTimeout, keepAliveInterval, resumeTimeout, largestAnswer,
      largestStore, stateFolder, domains, managed,
      acceptsPlainManaged
  }

  /// Reads a configuration; nil if there was a mistake.
  mutating func configuration(_ value: PlistValue) -> Configuration? {
    guard case .dictionary(let root) = value else {
      note([], "expected a dictionary, found \(value.kind.withArticle)")
      return nil
    }
    let names = Name.allCases.map(\.rawValue)
    for key in root.keys where !names.contains(key) {
      note([key], "is not a key of a configuration\(Suggestion.text(for: key, among: names))")
    }
    var configuration = Configuration(
      path: path, connection: connection(root),
      stateFolder: file(.stateFolder, in: root) ?? Configuration.defaultStateFolder)
    configuration.domains = domains(root)
    configuration.managed = managed(root)
    checkEncryption(configuration, root)
    if problems.isEmpty, configuration.domains.isEmpty, configuration.managed == nil {
      note([Name.domains.rawValue], "expected a domain with keys here, or a domain in managed")
    }
    return problems.isEmpty ? configuration : nil
  }

  // MARK: The connection

  private mutating func connection(_ root: PlistDictionary) -> EtcdStore.Options {
    var options = EtcdStore.Options(endpoints: endpoints(root))
    if let prefix = text(.prefix, in: root) {
      options.prefix = prefix
      if prefix.utf8.last != UInt8(ascii: "/") {
        note([Name.prefix.rawValue], "expected a text that ends with /")
      }
    }
    options.certificateAuthorityFile = file(.certificateAuthorityFile, in: root)
    let certificate = file(.certificateFile, in: root)
    let key = file(.privateKeyFile, in: root)
    if let (certificate, key) = both(.certificateFile, certificate, .privateKeyFile, key) {
      options.clientCertificate = .init(file: certificate, privateKeyFile: key)
    }
    let (user, password) = (text(.user, in: root), file(.passwordFile, in: root))
    if let (name, file) = both(.user, user, .passwordFile, password) {
      options.user = .init(name: name, passwordFile: file)
    }
    set(&options.connectTimeout, .connectTimeout, in: root, from: 0.001)
    set(&options.requestTimeout, .requestTimeout, in: root, from: 0.001)
    set(&options.keepAliveInterval, .keepAliveInterval, in: root, from: 0.001)
    set(&options.resumeTimeout, .resumeTimeout, in: root, from: 0)
    set(&options.largestAnswer, .largestAnswer, in: root)
    set(&options.largestStore, .largestStore, in: root)
    if problems.isEmpty {
      do throws(EtcdError) {
        try options.check()
      } catch {
        note([Name.endpoints.rawValue], "\(error)")
      }
    }
    return options
  }

  private mutating func endpoints(_ root: PlistDictionary) -> [String] {
    guard let value = root[Name.endpoints.rawValue] else {
      note([Name.endpoints.rawValue], "is missing; expected an array of addresses")
      return []
    }
    return texts(value, at: [Name.endpoints.rawValue], of: "addresses")
  }

  /// Two values that can only be used together; nil if both are missing.
  private mutating func both(
    _ first: Name, _ one: String?, _ second: Name, _ other: String?
  ) -> (String, String)? {
    if let one, let other { return (one, other) }
    if one != nil { note([second.rawValue], "is missing; expected it with \(first.rawValue)") }
    if other != nil { note([first.rawValue], "is missing; expected it with \(second.rawValue)") }
    return nil
  }

  // MARK: Domains

  private mutating func domains(_ root: PlistDictionary) -> [String: [String]] {
    let name = Name.domains.rawValue
    guard let value = root[name] else { return [:] }
    guard case .dictionary(let domains) = value else {
      note([name], "expected a dictionary of domains with their keys, found \(Self.kind(value))")
      return [:]
    }
    var result: [String: [String]] = [:]
    for (domain, keys) in domains {
      checkDomain(domain, at: [name, domain])
      result[domain] = texts(keys, at: [name, domain], of: "keys")
    }
    return result
  }

  private mutating func managed(_ root: PlistDictionary) -> Configuration.ManagedSelection? {
    let name = Name.managed.rawValue
    guard let value = root[name] else { return nil }
    if case .boolean(let isAll) = scalar(value, { try? PlistValue(booleanText: $0) }) {
      return isAll ? .all : nil
    }
    guard value.kind == .array else {
      note([name], "expected an array of domains, or true for all, found \(Self.kind(value))")
      return nil
    }
    let domains = texts(value, at: [name], of: "domains")
    for (index, domain) in domains.enumerated() {
      do throws(ManagedPreferencesError) {
        try ManagedKey.checkDomain(domain)
      } catch {
        note([name, "\(index)"], "\(error)")
      }
    }
    return .domains(domains)
  }

  /// Refuses managed preferences that the network could change, unless that is accepted.
  private mutating func checkEncryption(_ configuration: Configuration, _ root: PlistDictionary) {
    let name = Name.acceptsPlainManaged.rawValue
    let value =
      root[name].map { scalar($0) { try? PlistValue(booleanText: $0) } } ?? .boolean(false)
    guard case .boolean(let isAccepted) = value else {
      return note([name], "expected true or false, found \(Self.kind(value))")
    }
    guard !isAccepted, configuration.managed != nil,
      let endpoint = configuration.connection.plainEndpoints.first
    else { return }
    note(
      [Name.managed.rawValue],
      "\(endpoint): expected https, because anybody on the network could change managed "
        + "preferences; \(name) = true accepts that")
  }

  private mutating func checkDomain(_ domain: String, at place: [String]) {
    do throws(PreferencesError) {
      try DomainName.check(domain)
    } catch {
      note(place, "expected the name of a domain, without a slash")
    }
  }

  // MARK: Values

  /// An array of distinct, nonempty texts.
  private mutating func texts(
    _ value: PlistValue, at place: [String], of nouns: String
  ) -> [String] {
    guard case .array(let elements) = value else {
      note(place, "expected an array of \(nouns), found \(Self.kind(value))")
      return []
    }
    if elements.isEmpty { note(place, "expected at least one of the \(nouns), found none") }
    var result: [String] = []
    for (index, element) in elements.enumerated() {
      let place = place + ["\(index)"]
      guard case .string(let text) = element, !text.isEmpty else {
        note(place, "expected a text, found \(Self.kind(element))")
        continue
      }
      if result.contains(where: { $0.utf8.elementsEqual(text.utf8) }) {
        note(place, "appears twice")
      } else {
        result.append(text)
      }
    }
    return result
  }

  /// The value that a text represents, if any.
  private func scalar(_ value: PlistValue, _ parse: (String) -> PlistValue?) -> PlistValue {
    if hasTextsOnly, case .string(let text) = value { parse(text) ?? value } else { value }
  }

  private mutating func text(_ name: Name, in root: PlistDictionary) -> String? {
    guard let value = root[name.rawValue] else { return nil }
    if case .string(let text) = value, !text.isEmpty { return text }
    note([name.rawValue], "expected a text, found \(Self.kind(value))")
    return nil
  }

  /// A path, which is relative to the folder of the configuration.
  private mutating func file(_ name: Name, in root: PlistDictionary) -> String? {
    guard let text = text(name, in: root) else { return nil }
    if text.hasPrefix("/") { return text }
    return FilePath.joining(FilePath.split(path).folder ?? "/", text)
  }

  /// Sets a time, which is a number of seconds.
  private mutating func set(
    _ time: inout Duration, _ name: Name, in root: PlistDictionary, from least: Double
  ) {
    guard let value = root[name.rawValue] else { return }
    let seconds: Double? =
      switch scalar(value, { try? PlistValue(realText: $0) }) {
      case .integer(let number): Double(number)
      case .real(let number): number
      case .float(let number): Double(number)
      default: nil
      }
    guard let seconds, seconds >= least, seconds <= 3600 else {
      let found = seconds == nil ? Self.kind(value) : "another number"
      return note([name.rawValue], "expected a number of seconds up to 3600, found \(found)")
    }
    time = .seconds(seconds)
  }

  /// Sets a size in bytes.
  private mutating func set(_ size: inout Int, _ name: Name, in root: PlistDictionary) {
    guard let value = root[name.rawValue] else { return }
    guard case .integer(let number) = scalar(value, { try? PlistValue(integerText: $0) }),
      number > 0, let exact = Int(exactly: number)
    else {
      let found = value.kind == .integer ? "another integer" : Self.kind(value)
      return note([name.rawValue], "expected a positive number of bytes, found \(found)")
    }
    size = exact
  }

  /// The kind of a value; the value may be secret.
  private static func kind(_ value: PlistValue) -> String {
    value == .string("") ? "an empty string" : value.kind.withArticle
  }

  private mutating func note(_ place: [String], _ problem: String) {
    let place = place.isEmpty ? "" : PlistKeyPath(components: place).excerpt + ": "
    problems.append("\(path): \(place)\(problem)")
  }
}
