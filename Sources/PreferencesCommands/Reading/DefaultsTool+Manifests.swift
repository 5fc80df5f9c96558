internal import CommandLineInterface
internal import FoundationEssentials
internal import Manifests
internal import Preferences
internal import PropertyList

/// The verbs that read the manifest of a domain.
extension DefaultsTool {
  // MARK: Manifests

  /// The manifest of a domain, or of a file given by its path: the manifest for its name. Nil if
  /// there is none.
  func manifest(of domain: DomainArgument) throws(CommandFailure) -> ManifestFile? {
    guard let path = domain.path else { return try manifests.manifest(forDomain: domain.name) }
    return try manifests.manifest(for: [:], in: InputFile(operand: path))
  }

  /// The manifest of a domain; nil if there is none, or after a warning if it cannot be read.
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
    let manifest = try requiredManifest(of: domain).manifest
    guard let key else { return session.print(KeyDescription(of: manifest)) }
    let description = try CommandFailure.wrapping(domain.name) {
      var path = PlistKeyPath(components: [key])
      // A key may have dots in it, and a path leads to a value in a dictionary.
      if manifest.key(at: path) == nil { path = PlistKeyPath(key) }
      let store = try searchedStore(of: domain)
      for problem in store.problems { report(problem) }
      let origin = path.components.first.flatMap { store.origins(forKey: $0).first }
      let value = origin?.value[PlistKeyPath(components: Array(path.components.dropFirst()))]
      return try KeyDescription(
        at: path, in: manifest, value: value, origin: Self.facts(of: value == nil ? nil : origin))
    }
    session.print(description)
  }

  /// Where a value comes from; nil if it is not set.
  private static func facts(of origin: PreferencesOrigin?) -> [KeyDescription.Fact] {
    guard let layer = origin?.layer else {
      return [.init("value", "not set"), .init("managed", "no")]
    }
    return [
      .init("from", title(of: layer)),
      .init("managed", layer.kind == .managed ? "yes" : "no"),
    ]
  }

  /// `keys`
  func listKeys(of domain: DomainArgument) throws {
    let store = try searchedStore(of: domain)
    for problem in store.problems { report(problem) }
    let names = try manifest(of: domain)?.manifest.names ?? []
    let known = Set(names.map(ByteKey.init))
    let others = EffectiveValues(store).values.keys.filter { !known.contains(ByteKey($0)) }
    guard !names.isEmpty || !others.isEmpty else { throw missing(domain, nil) }
    for name in names + others.sorted() { session.print("\(name.onOneLine)\n") }
  }

  /// `check`
  func check(_ domain: DomainArgument?) throws {
    session.failureStatus = 2
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
  /// - Parameter isNamed: Whether the command line names the domain. If not, a domain without
  ///   values is left out.
  private func check(
    _ domain: DomainArgument, _ file: ManifestFile, isNamed: Bool
  ) throws(CommandFailure) {
    let store = try searchedStore(of: domain)
    let problems = store.problems
    let contents = EffectiveValues(store, file.manifest)
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
}

extension PreferencesManifest {
  /// The names of the described keys, in order.
  var names: [String] {
    keys.filter { $0.hasName && !$0.isOfEnvelope }.compactMap(\.name)
  }
}

/// The values of a domain that programs find, with the files that supply them.
///
/// From the layers that all domains share, only the keys that the domain's manifest describes are
/// used.
struct EffectiveValues {
  let values: PlistDictionary
  /// The files, by the keys whose values they supply; nil for a layer in memory.
  private let files: [ByteKey: String?]

  init(_ store: PreferencesStore, _ manifest: PreferencesManifest? = nil) {
    let described = Set(manifest?.names.map(ByteKey.init) ?? [])
    var entries: [(String, PlistValue)] = []
    var files: [ByteKey: String?] = [:]
    for contents in store.layerContents {
      let isShared = contents.layer.domain != store.domain
      for (key, value) in contents.values {
        let name = ByteKey(key)
        guard files[name] == nil, !isShared || described.contains(name) else { continue }
        files[name] = .some(contents.layer.path)
        entries.append((key, value))
      }
    }
    values = PlistDictionary(entries)
    self.files = files
  }

  /// A finding on one line, with the file and, in text, the line of the value.
  func line(about finding: ManifestFinding, in domain: String) -> String {
    let kind = finding.severity == .error ? "" : "\(finding.severity.rawValue): "
    let file = finding.keyPath.components.first.flatMap { files[ByteKey($0)] ?? nil }
    let line = file.flatMap { Self.line(of: finding.keyPath, in: $0) }
    return "\(file ?? domain): \(kind)\(line.map { "line \($0): " } ?? "")\(finding)"
  }

  private static func line(of path: PlistKeyPath, in file: String) -> Int? {
    let file = InputFile(operand: file)
    guard let input = try? file.load() else { return nil }
    return DocumentLines(of: input, options: file.options).line(at: path)
  }
}
