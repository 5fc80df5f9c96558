internal import CommandLineInterface
internal import Manifests
internal import Preferences
internal import PropertyList

/// The verbs that read the manifest of a domain.
extension DefaultsTool {
  // MARK: Manifests

  /// The manifest of a domain; of a file that is named by its path, the one for its name. Nil if there is
  /// none.
  func manifest(of domain: DomainArgument) throws(CommandFailure) -> ManifestFile? {
    guard let path = domain.path else { return try manifests.manifest(forDomain: domain.name) }
    return try manifests.manifest(for: [:], in: InputFile(operand: path))
  }

  /// The manifest of a domain, or nil after a warning for one that cannot be read.
  func readableManifest(of domain: DomainArgument) -> ManifestFile? {
    do throws(CommandFailure) {
      return try manifest(of: domain)
    } catch {
      session.warn(error, about: domain.name)
      return nil
    }
  }

  private func requiredManifest(of domain: DomainArgument) throws(CommandFailure) -> ManifestFile {
    guard let file = try manifest(of: domain) else {
      throw CommandFailure(
        "\(domain.name): there is no manifest for this domain in "
          + manifests.folders.joined(separator: ", "))
    }
    return file
  }

  // MARK: Verbs

  /// `describe`
  func describe(_ key: String?, of domain: DomainArgument) throws {
    try checkHosts(of: "describe")
    let manifest = try requiredManifest(of: domain).manifest
    var description: KeyDescription
    do throws(CommandFailure) {
      guard let key else { return session.print(KeyDescription(of: manifest)) }
      var path = PlistKeyPath(components: [key])
      // A key may have dots in it, and a path leads to a value in a dictionary.
      if manifest.key(at: path) == nil { path = PlistKeyPath(key) }
      let store = try searchedStore(of: domain)
      for problem in store.problems { report(problem) }
      let origin = path.components.first.flatMap { store.origins(forKey: $0).first }
      let value = origin?.value[PlistKeyPath(components: Array(path.components.dropFirst()))]
      description = try KeyDescription(
        at: path, in: manifest, value: value, origin: Self.facts(of: value == nil ? nil : origin))
    } catch {
      throw CommandFailure("\(domain.name): \(error)")
    }
    session.print(description)
  }

  /// Where a value comes from; nil if it is not set.
  private static func facts(of origin: PreferencesOrigin?) -> [KeyDescription.Fact] {
    guard let layer = origin?.layer else {
      return [.init("value", "not set"), .init("managed", "no")]
    }
    let path = layer.path.map { " (\($0))" } ?? ""
    return [
      .init("from", title(of: layer.kind) + path),
      .init("managed", layer.kind == .managed ? "yes" : "no"),
    ]
  }

  /// `keys`
  func listKeys(of domain: DomainArgument) throws {
    try checkHosts(of: "keys")
    let store = try searchedStore(of: domain)
    for problem in store.problems { report(problem) }
    let names = try manifest(of: domain)?.manifest.names ?? []
    let known = Set(names.map(ByteKey.init))
    let others = DomainValues(store).values.keys.filter { !known.contains(ByteKey($0)) }
    guard !names.isEmpty || !others.isEmpty else { throw missing(domain, nil) }
    for name in names + others.sorted() { session.print("\(name.onOneLine)\n") }
  }

  /// `check`
  func check(_ domain: DomainArgument?) throws {
    session.failureStatus = 2
    try checkHosts(of: "check")
    if let domain {
      return try check(domain, requiredManifest(of: domain), isNamed: true)
    }
    for name in manifests.domains {
      let domain = DomainArgument(name: name)
      do throws(CommandFailure) {
        guard let file = try manifest(of: domain) else { continue }
        try check(domain, file, isNamed: false)
      } catch {
        session.fail(error.lines)
      }
    }
  }

  /// Checks the values of a domain that programs find.
  ///
  /// - Parameter isNamed: Whether the command line names the domain. Another one without values is left
  ///   out.
  private func check(
    _ domain: DomainArgument, _ file: ManifestFile, isNamed: Bool
  ) throws(CommandFailure) {
    let store = try searchedStore(of: domain)
    let problems = store.problems
    let contents = DomainValues(store, file.manifest)
    guard isNamed || !contents.values.isEmpty || !problems.isEmpty else { return }
    for problem in problems { report(problem) }
    let findings = file.checker.findings(in: .dictionary(contents.values))
    for finding in findings {
      session.print(contents.line(about: finding, in: domain.name).onOneLine + "\n")
    }
    if findings.contains(where: { $0.severity == .error }) {
      session.succeed(with: 1)
    } else if !problems.contains(where: { !Self.isWarning($0) }) {
      session.print("\(domain.name.onOneLine): OK\n")
    }
  }

  /// Refuses the options for hosts.
  func checkHosts(of verb: String) throws(UsageError) {
    guard domains.host == nil else {
      throw UsageError("-currentHost and -host cannot be used with \(verb)")
    }
  }
}

extension PreferencesManifest {
  /// The names of the described keys, in order.
  var names: [String] {
    keys.filter { $0.hasName && !$0.isOfEnvelope }.compactMap(\.name)
  }
}
