internal import PropertyList
internal import Threading

/// Objects that are attached to the keys of a store.
extension PreferencesStore {
  struct CompanionKey: Hashable {
    var name: ByteKey
    var type: ObjectIdentifier
  }

  /// The object of a type attached to a key, created on first use. It lives as long as the store.
  package func companion<Companion: AnyObject & Sendable>(
    of name: String, make: () -> Companion
  ) -> Companion {
    let key = CompanionKey(name: ByteKey(name), type: ObjectIdentifier(Companion.self))
    // Created without a lock; if two are created at the same time, the first one stays.
    if let known = attachments.withLock({ $0.companions[key] }) as? Companion { return known }
    let new = make()
    return attachments.withLock { attachments in
      if let known = attachments.companions[key] as? Companion { return known }
      attachments.companions[key] = new
      return new
    }
  }
}
