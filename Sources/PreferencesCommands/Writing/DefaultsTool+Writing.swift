internal import CommandLineInterface
internal import Manifests
internal import Preferences
internal import PropertyList

/// The verbs that change domains.
extension DefaultsTool {
  /// `write`
  ///
  /// - Parameter words: A key and the words of its value, or a dictionary.
  func write(_ words: [String], to domain: DomainArgument) throws(CommandFailure) {
    let file = readableManifest(of: domain)
    var check: WriteCheck?
    if let file, !invocation.has(.force) {
      let effective = EffectiveValues(try searchedStore(of: domain), file.manifest)
      check = WriteCheck(of: domain, file, effective: effective)
    }
    if words.count == 1 {
      return try replace(domain, with: words[0], file?.manifest.root, check)
    }
    let key = words[0]
    let description = file?.manifest.key(at: PlistKeyPath(components: [key]))
    let change = try ValueArguments.parse(words[1...], description)
    if ValueArguments.typeWords.contains(key) {
      session.warn("the key is \(key), which is also the name of a type; is the key missing?")
    }
    var warnings: [ManifestFinding] = []
    try update(domain) { values throws(CommandFailure) in
      try change.apply(to: &values, key: key)
      warnings = try check?.warnings(about: key, values[key]) ?? []
    }
    session.warn(warnings, about: domain.name)
  }

  /// `write` with a dictionary
  private func replace(
    _ domain: DomainArgument, with text: String, _ description: PreferencesManifest.Key?,
    _ check: WriteCheck?
  ) throws(CommandFailure) {
    var value = try ValueArguments.untyped(text)
    if let description { value = description.typed(value) }
    guard case .dictionary(let new) = value else {
      throw CommandFailure("Rep argument is not a dictionary", "Defaults have not been changed.")
    }
    let warnings = try check?.warnings(about: new) ?? []
    try update(domain) { values throws(CommandFailure) in values = new }
    session.warn(warnings, about: domain.name)
  }

  /// `reset`
  func reset(_ keys: [String], of domain: DomainArgument) throws(CommandFailure) {
    let stores = try files(of: domain)
    let manifest = readableManifest(of: domain)?.manifest
    for key in keys where !stores.contains(where: { $0.containsValue(forKey: key) }) {
      guard manifest?.key(at: PlistKeyPath(components: [key])) == nil else { continue }
      let candidates =
        (manifest?.names ?? []) + stores.flatMap { Array($0.plistRepresentation.keys) }
      var failure = Self.missing(domain, key)
      failure.lines[0] += Suggestion.text(for: key, among: candidates)
      throw failure
    }
    for store in stores where keys.contains(where: store.containsValue(forKey:)) {
      try update(store, of: domain) { values throws(CommandFailure) in
        for key in keys { values.removeValue(forKey: key) }
      }
    }
    guard domains.host == nil else { return }
    let store = try searchedStore(of: domain)
    for key in keys {
      guard let layer = store.origins(forKey: key).first?.layer else { continue }
      session.note("\(key): the layer \(Self.title(of: layer)) still supplies a value")
    }
  }

  /// `rename`
  func rename(
    _ key: String, to newKey: String, of domain: DomainArgument
  ) throws(CommandFailure) {
    let missing = CommandFailure(
      "Key \(key) does not exist in domain \(domain.name); leaving defaults unchanged")
    // An update would create a lock file even for a domain that does not exist.
    guard try store(of: domain).containsValue(forKey: key) else { throw missing }
    try update(domain) { values throws(CommandFailure) in
      guard let value = values.removeValue(forKey: key) else { throw missing }
      values[newKey] = value
    }
  }

  /// `delete`
  func delete(_ key: String?, of domain: DomainArgument) throws(CommandFailure) {
    let store = try store(of: domain)
    guard Self.contains(store, key) else { throw Self.missing(domain, key) }
    try delete(key, from: store, of: domain)
  }

  /// `delete-all`
  func deleteAll(_ key: String?, of domain: DomainArgument) throws(CommandFailure) {
    let stores = try files(of: domain)
    let containing = stores.filter { Self.contains($0, key) }
    guard !containing.isEmpty else { throw Self.missing(domain, key) }
    for store in containing { try delete(key, from: store, of: domain) }
  }

  /// The files of a domain that apply to this machine; only one for a path or with an option for hosts.
  ///
  /// - Throws: The first problem of a file.
  private func files(of domain: DomainArgument) throws(CommandFailure) -> [PreferencesStore] {
    guard domain.path == nil, domains.host == nil else { return [try store(of: domain)] }
    let stores = try CommandFailure.wrapping { try domains.allStores(domain.name) }
    if let problem = stores.flatMap(\.problems).first { throw CommandFailure(problem) }
    return stores
  }

  /// Whether a store contains a key, or any value if the key is nil.
  private static func contains(_ store: PreferencesStore, _ key: String?) -> Bool {
    key.map(store.containsValue(forKey:)) ?? !store.plistRepresentation.isEmpty
  }

  private func delete(
    _ key: String?, from store: PreferencesStore, of domain: DomainArgument
  ) throws(CommandFailure) {
    try update(store, of: domain) { values throws(CommandFailure) in
      if let key {
        values.removeValue(forKey: key)
      } else {
        values = PlistDictionary()
      }
    }
  }

  private static func missing(_ domain: DomainArgument, _ key: String?) -> CommandFailure {
    let lines =
      key == nil
      ? ["Domain (\(domain.name)) not found."] : CommandFailure.missing(domain, key).lines
    return CommandFailure(lines + ["Defaults have not been changed."])
  }
}

/// The check of what `write` is about to save against the manifest of the domain.
struct WriteCheck {
  private let domain: DomainArgument
  private let file: ManifestFile
  /// The values that programs find before the change.
  private let effective: PlistDictionary

  init(of domain: DomainArgument, _ file: ManifestFile, effective: EffectiveValues) {
    (self.domain, self.file, self.effective) = (domain, file, effective.values)
  }

  /// Checks a value of a key.
  ///
  /// - Returns: The findings that are not errors.
  /// - Throws: The errors.
  func warnings(
    about key: String, _ value: PlistValue?
  ) throws(CommandFailure) -> [ManifestFinding] {
    // The other values may be conditions of the key. A check ends after many findings, so the key
    // comes first.
    let others = effective.filter { !$0.key.hasSameBytes(as: key) }.map { ($0.key, $0.value) }
    let values = PlistDictionary((value.map { [(key, $0)] } ?? []) + others)
    let findings = file.checker.findings(in: .dictionary(values))
    return try warnings(findings.filter { $0.keyPath.components.first == key })
  }

  func warnings(about values: PlistDictionary) throws(CommandFailure) -> [ManifestFinding] {
    try warnings(file.checker.findings(in: .dictionary(values)))
  }

  private func warnings(
    _ findings: [ManifestFinding]
  ) throws(CommandFailure) -> [ManifestFinding] {
    let errors = findings.filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw CommandFailure(
        errors.map { "\(domain.name): \($0)" } + [
          "Leaving defaults unchanged. To write it anyway, put --force after write."
        ])
    }
    return findings.filter { $0.severity == .warning }
  }
}

/// `edit`
extension DefaultsTool {
  /// Lets a person edit a domain, or the value of a key, in an editor.
  func edit(_ key: String?, of domain: DomainArgument) throws {
    let form = try invocation.argument(of: .form).map(TextForm.init(named:)) ?? TextForm(.xml)
    let values = try store(of: domain).plistRepresentation
    guard !values.isEmpty, let value = key.map({ values[$0] }) ?? .dictionary(values) else {
      throw missing(domain, key)
    }
    var edit = try CommandFailure.wrapping(domain.name) {
      try ValueEdit(value, ofKey: key, in: form)
    }
    var editing = TextEditing(
      of: domain.name, key: key, in: form,
      manifest: readableManifest(of: domain)?.manifest, session: session)
    editing.edit(edit.text) { text in
      try edit.apply(text) { change in
        try update(domain) { values throws(CommandFailure) in
          if case .dictionary(let new) = change(.dictionary(values)) { values = new }
        }
      }
    }
  }
}
