/// The layers of stores, in search order.
extension [SearchList.Entry] {
  /// The layers of a named domain.
  ///
  /// - Parameter suites: The suites; the latest is first.
  init(
    domain: String, user: DomainFile, suites: [String], files: LayerFiles,
    argument: VolatileDomain, environment: EnvironmentDomain?, registration: VolatileDomain
  ) {
    self = []
    for file in files.managed(domain) { append(.managed, of: domain, .file(file)) }
    append(argument, environment)
    for file in files.userHost(domain) { append(.userHost, of: domain, .file(file)) }
    append(.user, of: domain, .file(user))
    for suite in suites {
      for file in files.userHost(suite) { append(.suiteHost, of: suite, .file(file)) }
      append(.suite, of: suite, .file(files.user(suite)))
    }
    let global = DomainName.global
    if domain != global {
      for file in files.userHost(global) {
        append(.globalHost, of: global, .file(file))
      }
      append(.global, of: global, .file(files.user(global)))
    }
    append(.global, of: global, .file(files.misplacedGlobal()))
    for name in [domain] + suites where name != global {
      for file in files.system(name) { append(.system, of: name, .file(file)) }
    }
    for file in files.system(global) {
      append(.systemGlobal, of: global, .file(file))
    }
    append(.registration, of: DomainName.registration, .volatile(registration))
  }

  /// The layers of a store of one file.
  init(
    path: String, user: DomainFile, argument: VolatileDomain?, environment: EnvironmentDomain?,
    registration: VolatileDomain
  ) {
    self = []
    append(argument, environment)
    append(.user, of: path, .file(user))
    append(.registration, of: DomainName.registration, .volatile(registration))
  }

  /// Appends the layers that are set at the start of the process.
  private mutating func append(_ argument: VolatileDomain?, _ environment: EnvironmentDomain?) {
    if let argument {
      append(.argument, of: DomainName.argument, .volatile(argument))
      self[endIndex - 1].layer.options = argument.options
    }
    if let environment {
      append(.environment, of: DomainName.environment, .environment(environment))
    }
  }

  private mutating func append(
    _ kind: PreferencesLayer.Kind, of domain: String, _ source: SearchList.Entry.Source
  ) {
    var path: String?
    if case .file(let file) = source { path = file.path }
    append(
      SearchList.Entry(
        layer: PreferencesLayer(kind: kind, domain: domain, path: path), source: source))
  }
}
