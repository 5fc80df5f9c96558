public import Preferences
internal import TypedPreferences

/// A value that is kept in preferences.
///
/// What is stored and makes no value is left as it is, reported through
/// `TypedPreferenceError.onFailure(_:)`, and read as nil. A value that cannot be stored is
/// reported, too, and the old one stays.
public final class PersistentStore<T: DefaultConvertible>: DefaultStoreType, Sendable {
  private let preference: TypedPreference<T?>

  /// The value of a store.
  public init(store: PreferencesStore = .standard) {
    preference = TypedPreference(T.key, in: store, coder: .optional(of: .untyped())) { nil }
  }

  /// Keeps a value in place of the one before.
  public func set(_ value: T) {
    preference.set(value)
  }

  /// The value that is stored; nil where there is none. Tracked by the Observation framework.
  public func get() -> T? {
    preference.value
  }

  /// Removes what is stored.
  public func remove() {
    preference.remove()
  }

  /// Saves what is not saved yet, looks for what other processes have saved, and tells whether that
  /// worked.
  @discardableResult
  public func synchronize() -> Bool {
    preference.store.synchronize()
  }
}
