internal import CommandLineInterface
internal import FileStorage
internal import Glibc
internal import Preferences
internal import PropertyList

/// `defaults`: reads and changes preferences.
package struct DefaultsTool {
  let session: Session
  let domains: UserDomains
  private let invocation: Invocation

  /// Does what the process's command line asks for, with its standard streams.
  ///
  /// - Returns: The exit status: 0, or 1 where anything failed.
  package static func run() -> Int32 {
    table.run { try DefaultsTool($0, in: $1).perform() }
  }

  private init(_ invocation: Invocation, in session: Session) throws(UsageError) {
    self.invocation = invocation
    self.session = session
    var locations = DomainLocations.standard
    if let root = invocation.argument(of: Option.root) {
      guard !root.isEmpty else { throw UsageError("--root needs a folder") }
      locations.user = root + locations.user
      locations.system = locations.system.map { root + $0 }
      locations.managed = locations.managed.map { root + $0 }
    }
    domains = UserDomains(
      locations: locations, host: try Self.host(invocation, locations))
  }

  /// The host that the options before the verb name; nil for all hosts.
  private static func host(
    _ invocation: Invocation, _ locations: DomainLocations
  ) throws(UsageError) -> String? {
    let isCurrent = invocation.has(Option.currentHost)
    guard let host = invocation.argument(of: Option.host) else {
      return isCurrent ? locations.hostIdentifier : nil
    }
    guard !isCurrent else { throw UsageError("-currentHost and -host cannot be given together") }
    guard !host.isEmpty, !host.utf8.contains(UInt8(ascii: "/")) else {
      throw UsageError("-host needs the name of a host")
    }
    return host == hostName ? locations.hostIdentifier : host
  }

  private static var hostName: String? {
    var buffer = Array(repeating: CChar(0), count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
    return buffer.withUnsafeBufferPointer { String(validatingCString: $0.baseAddress!) }
  }

  // MARK: Verbs

  private func perform() throws {
    var words = invocation.operands[...]
    // All other commands are over before anybody else has changed anything.
    PreferencesStore.runtimeConfiguration.watchesFiles = invocation.verb == Verb.watch
    let takesDomain = ![Verb.domains, Verb.find].contains(invocation.verb)
    let domain = takesDomain ? try DomainArgument.take(from: &words) : nil
    let count = words.count + (domain == nil ? 0 : 1)
    try Self.table.check(count: count, of: invocation.verb)
    if domains.host != nil, domain?.path != nil || invocation.verb == Verb.layers {
      throw UsageError(
        "a host does not go with \(domain?.path == nil ? Verb.layers : "the path of a file")")
    }

    let rest = Array(words)
    switch (invocation.verb, domain) {
    case (Verb.domains, _): try listDomains()
    case (Verb.find, _): try find(rest[0])
    case (Verb.read, nil): try readAll()
    case (Verb.read, let domain?): try read(rest.first, of: domain)
    case (Verb.readType, let domain?): try readType(of: rest[0], of: domain)
    case (Verb.layers, let domain?): try layers(of: rest[0], of: domain)
    case (Verb.watch, let domain?): try watch(rest.first, of: domain)
    case (Verb.write, let domain?) where rest.count == 1: try replace(domain, with: rest[0])
    case (Verb.write, let domain?):
      try write(rest[0], of: domain, change: ValueArguments.parse(rest[1...]))
    case (Verb.rename, let domain?): try rename(rest[0], to: rest[1], of: domain)
    case (Verb.delete, let domain?): try delete(rest.first, of: domain)
    case (Verb.deleteAll, let domain?): try deleteAll(rest.first, of: domain)
    case (Verb.import, let domain?): try importFile(rest[0], into: domain)
    case (Verb.export, let domain?): try export(domain, to: rest[0], as: rest.dropFirst().first)
    default: preconditionFailure("a verb of the table that is not performed")
    }
  }

  // MARK: Domains

  /// The store of a domain, whose file can be read.
  func store(of domain: DomainArgument) throws(CommandFailure) -> PreferencesStore {
    let store = try uncheckedStore(of: domain)
    if let problem = store.problems.first { throw CommandFailure("\(problem)") }
    return store
  }

  /// The store of a domain, whose file may be one that cannot be read.
  func uncheckedStore(of domain: DomainArgument) throws(CommandFailure) -> PreferencesStore {
    if let path = domain.path { return PreferencesStore(fileAt: path) }
    do throws(PreferencesError) {
      return try domains.store(domain.name)
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  /// Changes the values of a domain on the disk, in one step that no other process can come between.
  ///
  /// - Parameter body: Makes the change, perhaps more than once, each time to the values as they were
  ///   before. What it throws leaves the domain as it was.
  func update(
    _ domain: DomainArgument, _ body: (inout PlistDictionary) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    try update(uncheckedStore(of: domain), of: domain, body)
  }

  /// The same for one of the files of a domain.
  func update(
    _ store: PreferencesStore, of domain: DomainArgument,
    _ body: (inout PlistDictionary) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    do {
      // A path that leads nowhere is more likely a mistake than a wish for new folders.
      if let path = domain.path { try checkFolder(of: path) }
      try store.update { values in try body(&values) }
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure("Could not write domain \(domain.name); exiting", "\(error)")
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
