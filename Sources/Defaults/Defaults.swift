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

  /// Adds a handler for failures to read, store or migrate a preference, which is called on the
  /// thread of the operation.
  ///
  /// The stored value stays as it is. A value that cannot be decoded is reported once, not by each
  /// read.
  public static func onFailure(_ handler: @escaping @Sendable (Failure) -> Void) {
    TypedPreferenceError.onFailure(handler)
  }

  /// Returns whether Apple's key-value observing supports a key name: whether it is ASCII, contains
  /// no dot and does not begin with `@`. Here all names can be observed.
  public static func isValidKeyPath(name: String) -> Bool {
    name.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: ".") } && !name.hasPrefix("@")
  }
}

extension PreferencesStore {
  /// The value of a key in this store, regardless of the key's suite.
  public subscript<Value: Defaults.Serializable>(key: Defaults.Key<Value>) -> Value {
    get { key.preference.in(self).value }
    set { key.preference.in(self).set(newValue) }
  }
}
