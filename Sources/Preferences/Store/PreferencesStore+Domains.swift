internal import PropertyList
internal import Threading

/// Access to whole domains by name.
extension PreferencesStore {
  /// The name of the domain that all applications share.
  public static let globalDomain = DomainName.global
  /// The name of the domain of command-line arguments.
  public static let argumentDomain = DomainName.argument
  /// The name of the domain of registered defaults.
  public static let registrationDomain = DomainName.registration

  // MARK: In memory

  /// The names of the domains in memory: ``argumentDomain`` and ``registrationDomain``, which are
  /// the only ones that are searched, and others that were set, sorted.
  public var volatileDomainNames: [String] {
    [DomainName.argument, DomainName.registration]
      + attachments.withLock { $0.volatileDomains.keys.map(\.text).sorted() }
  }

  /// The values of a domain in memory; empty if there is no such domain.
  public func volatileDomain(forName name: String) -> [String: Any] {
    let values = searched(name)?.all ?? attachments.withLock { $0.volatileDomains[ByteKey(name)] }
    return values?.anyValues ?? [:]
  }

  /// Replaces all values of a domain in memory.
  ///
  /// A value of a type that preferences cannot hold is a programming error.
  public func setVolatileDomain(_ domain: [String: Any], forName name: String) {
    let values = Self.contents(domain)
    if let searched = searched(name) {
      searched.replaceAll(with: values)
    } else {
      attachments.withLock { $0.volatileDomains[ByteKey(name)] = values }
    }
  }

  /// Removes a domain in memory; a domain that is searched is emptied.
  public func removeVolatileDomain(forName name: String) {
    if let searched = searched(name) {
      searched.replaceAll(with: PlistDictionary())
    } else {
      attachments.withLock { $0.volatileDomains[ByteKey(name)] = nil }
    }
  }

  private func searched(_ name: String) -> VolatileDomain? {
    switch name {
    case DomainName.argument: argument
    case DomainName.registration: registration
    default: nil
    }
  }

  // MARK: In files

  /// The values of the user's file of a domain, without other layers; nil if there are none.
  ///
  /// A store of one file has no other domains.
  public func persistentDomain(forName name: String) -> [String: Any]? {
    guard let values = persistent(name)?.allValues, !values.isEmpty else { return nil }
    return values.anyValues
  }

  /// Replaces all values of the user's file of a domain.
  ///
  /// A value of a type that preferences cannot hold is a programming error. A name that is not
  /// valid is ignored.
  public func setPersistentDomain(_ domain: [String: Any], forName name: String) {
    guard let file = persistent(name) else { return }
    file.replaceAll(with: Self.contents(domain))
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

  /// Whether the machine's administrator manages a key of a domain.
  public func objectIsForced(forKey key: String, inDomain name: String) -> Bool {
    guard let files, (try? DomainName.check(name)) != nil else { return false }
    return files.managed(name).contains { $0.value(forKey: key) != nil }
  }

  /// The values of a domain. A value that cannot be stored is a programming error.
  static func contents(_ untyped: [String: Any]) -> PlistDictionary {
    do {
      return try PlistDictionary(storing: untyped)
    } catch {
      fatalError("\(error)")
    }
  }
}
