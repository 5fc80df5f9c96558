internal import Threading

/// What other modules know of the keys of a store.
extension PreferencesStore {
  /// What a companion belongs to.
  struct CompanionKey: Hashable {
    var name: ByteKey
    var type: ObjectIdentifier
  }

  /// The object of a type that belongs to a key of this store, made when it is first asked for. It lives as
  /// long as the store.
  package func companion<Companion: AnyObject & Sendable>(
    of name: String, make: () -> Companion
  ) -> Companion {
    let key = CompanionKey(name: ByteKey(name), type: ObjectIdentifier(Companion.self))
    // Made with no lock held; of two at the same time the first one stays.
    if let known = companions.withLock({ $0[key] }) as? Companion { return known }
    let new = make()
    return companions.withLock { companions in
      if let known = companions[key] as? Companion { return known }
      companions[key] = new
      return new
    }
  }
}
