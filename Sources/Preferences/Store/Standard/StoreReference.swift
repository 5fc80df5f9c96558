/// A store that is kept to be used later, or the standard one, whichever store that is then.
package struct StoreReference: Sendable {
  /// The store when the reference was made.
  package let known: PreferencesStore
  private let kind: Kind

  private enum Kind {
    /// This one store.
    case fixed
    /// The standard store, which was the application's when the reference was made.
    case application
    /// The standard store, for which another one stood in then.
    case standIn
  }

  /// Refers to the standard store if this store is what is standard now, and to this store
  /// otherwise.
  package init(_ store: PreferencesStore) {
    known = store
    kind =
      store === PreferencesStore.standIn
      ? .standIn : PreferencesStore.isApplicationStore(store) ? .application : .fixed
  }

  /// Refers to one store, even if it is the standard one.
  package init(fixed store: PreferencesStore) {
    known = store
    kind = .fixed
  }

  /// The store.
  package var store: PreferencesStore { other ?? known }

  /// Whether it may be another store elsewhere or later.
  package var canChange: Bool { kind != .fixed && PreferencesStore.hasStandIns }

  /// The store to use here, if it is another one than the known one.
  package var other: PreferencesStore? { canChange ? findOther() : nil }

  private func findOther() -> PreferencesStore? {
    let store = PreferencesStore.standIn ?? (kind == .standIn ? .standard : known)
    return store === known ? nil : store
  }
}

extension StoreReference: Hashable {
  /// Returns whether both refer to the same store, or both to the standard one.
  package static func == (left: StoreReference, right: StoreReference) -> Bool {
    left.kind == .fixed && right.kind == .fixed
      ? left.known === right.known : left.kind != .fixed && right.kind != .fixed
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(kind == .fixed ? ObjectIdentifier(known) : nil)
  }
}
