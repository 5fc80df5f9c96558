internal import PropertyList

/// The layers in which a store looks for a key, in order.
struct SearchList: Sendable {
  /// A layer and what it consists of.
  struct Entry: Sendable {
    var layer: PreferencesLayer
    var source: Source

    enum Source: Sendable {
      case file(DomainFile)
      case volatile(VolatileDomain)
    }

    func value(forKey key: String) -> PlistValue? {
      switch source {
      case .file(let file): file.value(forKey: key)
      case .volatile(let domain): domain.value(forKey: key)
      }
    }

    var values: PlistDictionary {
      switch source {
      case .file(let file): file.values
      case .volatile(let domain): domain.values
      }
    }
  }

  private(set) var entries: [Entry] = []

  /// The files among the layers.
  var files: [DomainFile] {
    entries.compactMap { if case .file(let file) = $0.source { file } else { nil } }
  }

  mutating func append(
    _ kind: PreferencesLayer.Kind, of domain: String, _ source: Entry.Source
  ) {
    var path: String?
    if case .file(let file) = source { path = file.path }
    entries.append(
      Entry(layer: PreferencesLayer(kind: kind, domain: domain, path: path), source: source))
  }
}

extension SearchList {
  /// The list of a domain that has a name.
  ///
  /// - Parameters:
  ///   - user: The domain's file of the user, which is written to.
  ///   - suites: The names of the suites that were added, the latest first.
  init(
    domain: String, user: DomainFile, suites: [String], files: DomainFiles,
    argument: VolatileDomain, registration: VolatileDomain
  ) {
    for file in files.managed(domain) { append(.managed, of: domain, .file(file)) }
    append(.argument, of: DomainName.argument, .volatile(argument))
    for file in files.userHost(domain) { append(.userHost, of: domain, .file(file)) }
    append(.user, of: domain, .file(user))
    for suite in suites {
      for file in files.userHost(suite) { append(.suiteHost, of: suite, .file(file)) }
      append(.suite, of: suite, .file(files.user(suite)))
    }
    let global = DomainName.global
    if domain != global {
      for file in files.userHost(global) { append(.globalHost, of: global, .file(file)) }
      append(.global, of: global, .file(files.user(global)))
    }
    append(.global, of: global, .file(files.misplacedGlobal))
    for name in [domain] + suites where name != global {
      for file in files.system(name) { append(.system, of: name, .file(file)) }
    }
    for file in files.system(global) { append(.systemGlobal, of: global, .file(file)) }
    append(.registration, of: DomainName.registration, .volatile(registration))
  }

  /// The list of a file that is the whole domain.
  init(path: String, user: DomainFile, registration: VolatileDomain) {
    append(.user, of: path, .file(user))
    append(.registration, of: DomainName.registration, .volatile(registration))
  }
}
