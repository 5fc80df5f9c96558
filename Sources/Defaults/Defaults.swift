public import Preferences
@_exported public import PreferencesFoundation
@_exported public import TypedPreferences

/// Strongly typed preferences.
///
/// ```swift
/// extension Defaults.Keys {
///   static let quality = Key<Double>("quality", default: 0.8)
/// }
///
/// Defaults[.quality] += 0.1
/// ```
public enum Defaults {
  /// The stores of keys.
  public typealias UserDefaults = PreferencesStore
  /// A type whose values can be stored.
  public typealias Serializable = DefaultsSerializable
  /// A conversion between the values of a type and their stored form.
  public typealias Bridge = DefaultsBridge
  /// A failure to read, store or migrate a preference.
  public typealias Failure = TypedPreferenceError

  /// The value of a key in the key's suite.
  public static subscript<Value: Serializable>(key: Key<Value>) -> Value {
    get { key.preference.value }
    set { key.preference.set(newValue) }
  }

  /// Adds a handler for failures to read, store or migrate a preference. It is called on the thread
  /// of the operation.
  ///
  /// The stored value is unchanged. A value that cannot be decoded is reported once, not by each
  /// read.
  public static func onFailure(_ handler: @escaping @Sendable (Failure) -> Void) {
    TypedPreferenceError.onFailure(handler)
  }
}

extension PreferencesStore {
  /// The value of a key in this store, regardless of the key's suite.
  public subscript<Value: Defaults.Serializable>(key: Defaults.Key<Value>) -> Value {
    get { key.preference.in(self).value }
    set { key.preference.in(self).set(newValue) }
  }
}

/// Resetting keys to their defaults.
///
/// Observers of each key are notified. Registered defaults stay, and so do the layers other than
/// the suite's own domain.
extension Defaults {
  /// Removes the stored values of keys, so that they have their defaults.
  public static func reset(_ keys: _AnyKey...) {
    reset(keys)
  }

  /// Removes the stored values of keys, so that they have their defaults.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - suite: Ignored, for compatibility: each key is reset in its own suite.
  public static func reset(_ keys: _AnyKey..., suite: PreferencesStore) {
    reset(keys)
  }

  /// Removes the stored values of keys, so that they have their defaults.
  public static func reset(_ keys: [_AnyKey]) {
    for key in keys { key.reset() }
  }

  /// Removes the stored values of the keys with these names.
  public static func reset(_ names: String..., suite: PreferencesStore = .standard) {
    reset(names, suite: suite)
  }

  /// Removes the stored values of the keys with these names.
  public static func reset(_ names: [String], suite: PreferencesStore = .standard) {
    for name in names { suite.removeObject(forKey: name) }
  }

  /// Removes all stored values of a suite.
  public static func removeAll(suite: PreferencesStore = .standard) {
    suite.removeAll()
  }
}

/// For modules where `Defaults` means something else.
public typealias _Defaults = Defaults
/// For modules where `Default` means something else.
public typealias _Default = Default
