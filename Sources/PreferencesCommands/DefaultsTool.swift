internal import CommandLineInterface
internal import FileStorage
internal import Glibc
internal import Preferences
internal import PropertyList

/// `defaults`: reads and changes preferences.
package struct DefaultsTool {
  let session: Session
  let invocation: Invocation
  let domains: UserDomains
  let manifests: InstalledManifests

  /// Runs the tool with the process's command line and standard streams.
  ///
  /// - Returns: The exit status: 0, or 1 if anything failed; the help of a verb lists other
  ///   statuses.
  package static func run() -> Int32 {
    // Only `watch` runs long enough for other processes to change anything.
    PreferencesStore.runtimeConfiguration.watchesFiles = false
    // The verbs report the problems that concern them.
    PreferencesStore.runtimeConfiguration.printsFailures = false
    return table.run()
  }

  init(_ invocation: Invocation, in session: Session) throws(UsageError) {
    (self.session, self.invocation) = (session, invocation)
    var locations = DomainLocations.standard
    if let root = invocation.argument(of: .root) {
      guard !root.isEmpty else { throw UsageError("--root needs a folder") }
      if locations.hasUserFolder { locations.user = root + locations.user }
      locations.system = locations.system.map { root + $0 }
      locations.managed = locations.managed.map { root + $0 }
    }
    manifests = InstalledManifests(root: invocation.argument(of: .root) ?? "")
    domains = UserDomains(
      locations: locations, host: try Self.host(invocation, locations))
    if let host = invocation.argument(of: .host), domains.host != locations.hostIdentifier,
      !["write", "import"].contains(invocation.verb.name), !domains.hasFiles
    {
      throw UsageError(
        "no domain has preferences for the host \(host); this host is "
          + (Self.hostName ?? locations.hostIdentifier))
    }
  }

  /// The host that the options before the verb name; nil for all hosts.
  private static func host(
    _ invocation: Invocation, _ locations: DomainLocations
  ) throws(UsageError) -> String? {
    let isCurrent = invocation.has(.currentHost)
    guard let host = invocation.argument(of: .host) else {
      return isCurrent ? locations.hostIdentifier : nil
    }
    guard !isCurrent else { throw UsageError("-currentHost and -host cannot be used together") }
    guard !host.isEmpty, !host.utf8.contains(UInt8(ascii: "/")) else {
      throw UsageError("-host needs the name or identifier of a machine")
    }
    return host == hostName ? locations.hostIdentifier : host
  }

  private static var hostName: String? {
    var buffer = Array(repeating: CChar(0), count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
    return buffer.withUnsafeBufferPointer { String(validatingCString: $0.baseAddress!) }
  }

  // MARK: Verbs

  /// The action of a verb without a domain.
  static func action(
    _ body: @escaping @Sendable (DefaultsTool, _ words: [String]) throws -> Void
  ) -> CommandLineTool.Action {
    { invocation, session in
      let tool = try DefaultsTool(invocation, in: session)
      try table.check(count: invocation.operands.count, of: invocation.verb)
      try body(tool, invocation.operands)
    }
  }

  /// The action of a verb on a domain, which may be missing if the verb has no required operands.
  static func actionOnOptionalDomain(
    _ body: @escaping @Sendable (DefaultsTool, DomainArgument?, _ words: [String]) throws -> Void
  ) -> CommandLineTool.Action {
    { invocation, session in
      let tool = try DefaultsTool(invocation, in: session)
      var words = invocation.operands[...]
      let domain = try DomainArgument.take(from: &words)
      let count = words.count + (domain == nil ? 0 : 1)
      try table.check(count: count, of: invocation.verb)
      if tool.domains.host != nil, domain?.path != nil {
        throw UsageError("-currentHost and -host cannot be used with a path")
      }
      guard tool.domains.host == nil || !invocation.verb.excludedOptions.contains(.host) else {
        throw UsageError("-currentHost and -host cannot be used with \(invocation.verb.name)")
      }
      try body(tool, domain, Array(words))
    }
  }

  /// The action of a verb on a domain.
  static func actionOnDomain(
    _ body: @escaping @Sendable (DefaultsTool, DomainArgument, _ words: [String]) throws -> Void
  ) -> CommandLineTool.Action {
    actionOnOptionalDomain { tool, domain, words in
      guard let domain else { throw UsageError("no domain given") }
      try body(tool, domain, words)
    }
  }

  // MARK: Domains

  /// The store of a domain.
  ///
  /// - Throws: The first problem of the store, such as a file that cannot be read.
  func store(of domain: DomainArgument) throws(CommandFailure) -> PreferencesStore {
    let store = try uncheckedStore(of: domain)
    if let problem = store.problems.first { throw CommandFailure(problem) }
    return store
  }

  /// The store of a domain, even if its file cannot be read.
  func uncheckedStore(of domain: DomainArgument) throws(CommandFailure) -> PreferencesStore {
    if let path = domain.path {
      let store = PreferencesStore(fileAt: path)
      store.removeLockFileAfterSaving()
      return store
    }
    return try CommandFailure.wrapping { try domains.store(domain.name) }
  }

  /// The store of a domain with all layers that applications search, except the layers in an
  /// application's memory.
  func searchedStore(of domain: DomainArgument) throws(CommandFailure) -> PreferencesStore {
    if let path = domain.path { return PreferencesStore(fileAt: path) }
    var options = PreferencesStore.Options()
    options.locations = domains.locations
    options.arguments = []
    options.usesPrivateRegistrationDomain = true
    return try CommandFailure.wrapping {
      try PreferencesStore(domain: domain.name, options: options)
    }
  }

  /// Changes the values of a domain on disk atomically.
  ///
  /// - Parameter body: Changes the values. It may be called more than once, each time with the
  ///   unchanged values. If it throws, the domain is unchanged.
  func update(
    _ domain: DomainArgument, _ body: (inout PlistDictionary) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    try update(uncheckedStore(of: domain), of: domain, body)
  }

  /// Changes the values of one of the files of a domain atomically.
  func update(
    _ store: PreferencesStore, of domain: DomainArgument,
    _ body: (inout PlistDictionary) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    do {
      var reason: String?
      if let path = domain.path {
        // A missing folder is probably a mistake, and not a request to create it.
        try checkFolder(of: path)
        switch try updateText(at: path, body) {
        case .written: return
        case .lost(let problem): reason = problem
        case .unsuitable: break
        }
      }
      try store.update { values in try body(&values) }
      if let path = domain.path, let reason { warnOfLostText(at: path, because: reason) }
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(
        ["Could not write domain \(domain.name); exiting"]
          + ((error as? PreferencesError).map(CommandFailure.lines) ?? ["\(error)"]))
    }
  }

  private func checkFolder(of path: String) throws(PreferencesError) {
    do throws(FileSystemError) {
      _ = try AtomicFile(path)
    } catch {
      throw PreferencesError(error, path: path)
    }
  }
}

extension DefaultsTool {
  /// The failure of a verb that reads a missing domain, or a missing key in it. It says where the
  /// key exists.
  func missing(_ domain: DomainArgument, _ key: String?) -> CommandFailure {
    var failure = CommandFailure.missing(domain, key)
    let host = domains.host == nil ? domains.locations.hostIdentifier : nil
    let other = UserDomains(locations: domains.locations, host: host)
    if domain.path == nil, let values = try? other.store(domain.name).plistRepresentation,
      key.map({ values[$0] != nil }) ?? !values.isEmpty
    {
      failure.lines.append(
        host == nil
          ? "It exists for all hosts: leave out -currentHost or -host"
          : "It exists for this host: put -currentHost before the verb")
    }
    return failure
  }
}

extension CommandFailure {
  /// The failure of a verb that meets a problem of preferences.
  init(_ problem: PreferencesError) {
    self.init(Self.lines(about: problem))
  }

  /// The lines about a problem, with advice about a file that does not hold preferences.
  static func lines(about problem: PreferencesError) -> [String] {
    let (path, look): (String, String)
    switch problem {
    case .notPreferences(let file):
      (path, look) = (file, "To see its contents: plutil -p \(file.quotedForShell)")
    case .emptyFile(let file), .corrupt(let file, _):
      look = "After repairing it, check it with: plutil -lint \(file.quotedForShell)"
      path = file
    default: return ["\(problem)"]
    }
    let file = path.quotedForShell
    return [
      "\(problem)", "The file was left unchanged. \(look)",
      "To set it aside and start with an empty domain: mv \(file) \((path + ".bad").quotedForShell)",
    ]
  }

  /// The failure of a verb whose domain, or a key in it, does not exist.
  static func missing(_ domain: DomainArgument, _ key: String?) -> CommandFailure {
    if let key {
      CommandFailure("The domain/default pair of (\(domain.name), \(key)) does not exist")
    } else {
      CommandFailure("Domain \(domain.name) does not exist")
    }
  }
}

extension String {
  /// The text as one word of a shell command, in quotes if it needs them.
  var quotedForShell: String {
    let isPlain = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "@%+=:,./_-".utf8.contains(byte)
      }
    }
    return isPlain && !isEmpty ? self : "'\(replacing("'", with: #"'\''"#))'"
  }
}
