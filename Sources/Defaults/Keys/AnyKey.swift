public import Preferences

extension Defaults {
  /// The type to extend with static keys, so that `Defaults[.name]` finds them.
  public typealias Keys = _AnyKey

  /// A key with values of any type.
  public class _AnyKey: @unchecked Sendable {
    // Sendable because neither it nor its only subclass, `Key`, has mutable state.

    /// A key with values of a certain type.
    public typealias Key = Defaults.Key

    /// The name under which the value is stored.
    public let name: String
    /// The store of the value. A key of `PreferencesStore.standard` is always in the store that is
    /// standard where it is used.
    public var suite: PreferencesStore { reference.store }

    /// The store, or the standard one.
    let reference: StoreReference
    private let hasDefault: @Sendable () -> Bool
    /// Returns whether a change of the stored form leaves the value equal.
    let keepsValue: @Sendable (PreferencesChange) -> Bool

    init(
      name: String, reference: StoreReference, hasDefault: @escaping @Sendable () -> Bool,
      keepsValue: @escaping @Sendable (PreferencesChange) -> Bool
    ) {
      self.name = name
      self.reference = reference
      self.hasDefault = hasDefault
      self.keepsValue = keepsValue
    }

    /// Whether the key's value equals its default: whether their stored forms do, or the objects
    /// that these archive.
    public var isDefaultValue: Bool { hasDefault() }

    /// Removes the stored value, so that the key has its default.
    public func reset() {
      suite.removeObject(forKey: name)
    }
  }
}

extension Defaults._AnyKey: Hashable {
  /// Returns whether two keys have the same store, or both the standard one, and names of the same
  /// bytes.
  public static func == (left: Defaults._AnyKey, right: Defaults._AnyKey) -> Bool {
    left.name.utf8.elementsEqual(right.name.utf8) && left.reference == right.reference
  }

  /// Hashes the name and the store.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(reference)
  }
}
