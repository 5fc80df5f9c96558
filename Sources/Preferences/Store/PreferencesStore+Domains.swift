internal import PropertyList
internal import Threading

/// Access to whole domains by name.
extension PreferencesStore {
  /// The name of the domain that all applications share.
  public static let globalDomain = DomainName.global
  /// The name of the domain of command-line arguments.
  public static let argumentDomain = DomainName.argument
  /// The name of the environment's layer in ``PreferencesOrigin/layer``. Unlike a domain in memory,
  /// it cannot be replaced.
  public static let environmentDomain = DomainName.environment
  /// The name of the domain of registered defaults.
  public static let registrationDomain = DomainName.registration

  // MARK: In memory

  /// The domains in memory: ``argumentDomain`` and ``registrationDomain``, which are searched, and
  /// the others that were set, sorted.
  public var volatileDomainNames: [String] {
    [DomainName.argument, DomainName.registration]
      + attachments.withLock { $0.volatileDomains.keys.map(\.text).sorted() }
  }

  /// The values of a domain in memory; empty if it does not exist.
  public func volatileDomain(forName name: String) -> [String: Any] {
    let values = searched(name)?.all ?? attachments.withLock { $0.volatileDomains[ByteKey(name)] }
    return values?.anyValues ?? [:]
  }

  /// Replaces all values of a domain in memory.
  ///
  /// A value that cannot be stored is a programming error, as for ``set(_:forKey:)-(Any?,_)``;
  /// ``setAnyVolatileDomain(_:forName:)`` throws instead.
  public func setVolatileDomain(_ domain: [String: Any], forName name: String) {
    put(Self.contents(domain), inVolatileDomain: name)
  }

  /// Replaces all values of a domain in memory.
  ///
  /// - Throws: The errors of ``setAny(_:forKey:)``; nothing has changed then.
  public func setAnyVolatileDomain(
    _ domain: [String: Any], forName name: String
  ) throws(PreferencesError) {
    put(try PlistDictionary(storing: domain), inVolatileDomain: name)
  }

  private func put(_ values: PlistDictionary?, inVolatileDomain name: String) {
    if let searched = searched(name) {
      searched.replaceAll(with: values ?? PlistDictionary())
    } else {
      attachments.withLock { $0.volatileDomains[ByteKey(name)] = values }
    }
  }

  /// Removes a domain in memory. A domain that is searched is emptied instead.
  public func removeVolatileDomain(forName name: String) { put(nil, inVolatileDomain: name) }

  private func searched(_ name: String) -> VolatileDomain? {
    switch name {
    case DomainName.argument: argument
    case DomainName.registration: registration
    default: nil
    }
  }

  // MARK: In files

  /// The values in the user's file of a domain, nil if there are none. A store of one file has no
  /// other domains.
  public func persistentDomain(forName name: String) -> [String: Any]? {
    guard let values = persistent(name)?.allValues, !values.isEmpty else { return nil }
    return values.anyValues
  }

  /// Replaces all values in the user's file of a domain.
  ///
  /// A value that cannot be stored is a programming error, as for ``set(_:forKey:)-(Any?,_)``, and
  /// an invalid name is ignored; ``setAnyPersistentDomain(_:forName:)`` throws instead. The checks of
  /// the store apply to its own domain.
  public func setPersistentDomain(_ domain: [String: Any], forName name: String) {
    guard let file = persistent(name) else { return }
    let values = Self.contents(domain)
    do throws(PreferencesError) { try put(values, in: file) } catch { refuse(error, ofKey: nil) }
  }

  /// Replaces all values in the user's file of a domain. A store of one file has no other domains
  /// and ignores their names.
  ///
  /// - Throws: ``PreferencesError/invalidDomainName(_:)``, or the errors of ``setAny(_:forKey:)``;
  ///   nothing has changed then.
  public func setAnyPersistentDomain(
    _ domain: [String: Any], forName name: String
  ) throws(PreferencesError) {
    let values = try PlistDictionary(storing: domain)
    try checkWritable()
    if !name.hasSameBytes(as: self.domain) { try DomainName.check(name) }
    if let file = persistent(name) { try put(values, in: file) }
  }

  /// Replaces all values of a file with values that preferences can hold. The store's checks apply
  /// only to its own file.
  private func put(_ values: PlistDictionary, in file: DomainFile) throws(PreferencesError) {
    try checkWritable()
    if file === user { try checkReplacement(of: PlistDictionary(), with: values) }
    file.replaceAll(with: values)
    if file !== user {
      attachments.withLock { $0.changedFiles[ObjectIdentifier(file)] = file }
    }
    ChangeHook.shared.call(self)
  }

  /// Removes all values from the user's file of a domain.
  public func removePersistentDomain(forName name: String) {
    setPersistentDomain([:], forName: name)
  }

  private func persistent(_ name: String) -> DomainFile? {
    if name.hasSameBytes(as: domain) { return user }
    guard (try? DomainName.check(name)) != nil else { return nil }
    return files?.user(name)
  }

  /// Whether the administrator manages a key of a domain.
  public func objectIsForced(forKey key: String, inDomain name: String) -> Bool {
    guard let files, (try? DomainName.check(name)) != nil else { return false }
    return files.managed(name).contains { $0.value(forKey: key) != nil }
  }

  /// A value that cannot be stored is a programming error.
  static func contents(_ untyped: [String: Any]) -> PlistDictionary {
    ProgrammingError.stopping(typeOf: { untyped[$0] }) { () throws(PreferencesError) in
      try PlistDictionary(storing: untyped)
    }
  }
}
