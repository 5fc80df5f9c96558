/// A store to use later: a fixed store, or the store that is then standard.
package struct StoreReference: Sendable {
  /// The store when the reference was made.
  package let known: PreferencesStore
  private let kind: Kind

  private enum Kind {
    case fixed
    /// The standard store, which was the application's when the reference was made.
    case application
    /// The standard store, which was a replacement when the reference was made.
    case overridden
  }

  /// Refers to the standard store if this store is standard now, and to this store otherwise.
  package init(_ store: PreferencesStore) {
    known = store
    kind =
      store === PreferencesStore.standardOverride
      ? .overridden : PreferencesStore.isApplicationStore(store) ? .application : .fixed
  }

  /// Refers to this store, even if it is standard.
  package init(fixed store: PreferencesStore) {
    known = store
    kind = .fixed
  }

  package var store: PreferencesStore { other ?? known }

  /// Whether the store may differ elsewhere or later.
  package var canChange: Bool { kind != .fixed && PreferencesStore.hasOverrides }

  /// The store to use here, if it is not the known one.
  package var other: PreferencesStore? { canChange ? findOther() : nil }

  private func findOther() -> PreferencesStore? {
    let store = PreferencesStore.standardOverride ?? (kind == .overridden ? .standard : known)
    return store === known ? nil : store
  }
}

extension StoreReference: Hashable {
  /// Whether both refer to the same store, or both to the standard store.
  package static func == (left: StoreReference, right: StoreReference) -> Bool {
    left.kind == .fixed && right.kind == .fixed
      ? left.known === right.known : left.kind != .fixed && right.kind != .fixed
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(kind == .fixed ? ObjectIdentifier(known) : nil)
  }
}
