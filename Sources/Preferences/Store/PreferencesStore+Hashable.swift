extension PreferencesStore: Hashable {
  /// Compares the identity of the objects.
  public static func == (left: PreferencesStore, right: PreferencesStore) -> Bool { left === right }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
