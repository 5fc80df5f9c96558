public import Preferences
internal import TypedPreferences

/// A store of one value in preferences.
///
/// A stored object that cannot be converted to a value is reported through
/// `TypedPreferenceError.onFailure(_:)`, stays as it is, and is read as nil. A value that cannot be
/// stored is reported as well, and the old one stays.
public final class PersistentStore<T: DefaultConvertible>: DefaultStoreType, Sendable {
  private let preference: TypedPreference<T?>

  /// Creates a store of the value in a preferences store.
  public init(store: PreferencesStore = .standard) {
    preference = TypedPreference(T.key, in: store, coder: .optional(of: .convertible())) { nil }
  }

  /// Replaces the stored value.
  public func set(_ value: T) {
    preference.set(value)
  }

  /// Returns the stored value; nil if there is none. The Observation framework tracks it.
  public func get() -> T? {
    preference.value
  }

  /// Removes the stored value.
  public func remove() {
    preference.remove()
  }

  /// Saves pending changes, reads what other processes have saved, and returns whether that
  /// succeeded.
  @discardableResult
  public func synchronize() -> Bool {
    preference.reference.store.synchronize()
  }
}
