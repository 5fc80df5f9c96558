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
  /// The stores in which keys lie.
  public typealias UserDefaults = PreferencesStore
  /// Types whose values can be stored.
  public typealias Serializable = DefaultsSerializable
  /// What stores values of a type in the form of another one.
  public typealias Bridge = DefaultsBridge
  /// A preference that could not be read or stored.
  public typealias Failure = TypedPreferenceError

  /// The value of a key, in the key's suite.
  public static subscript<Value: Serializable>(key: Key<Value>) -> Value {
    get { key.preference.value }
    set { key.preference.set(newValue) }
  }

  /// Calls the closure, from now on, with each preference that cannot be read or stored, on the thread that
  /// reads or stores it.
  ///
  /// What is stored is left as it is. A value that cannot be read is reported once, not by each read.
  public static func onFailure(_ handler: @escaping @Sendable (Failure) -> Void) {
    TypedPreferenceError.onFailure(handler)
  }

  /// Whether Apple's key-value observing could observe a key of that name: whether it is ASCII, has no dot
  /// and does not begin with an `@`. Here all names can be observed.
  public static func isValidKeyPath(name: String) -> Bool {
    name.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: ".") } && !name.hasPrefix("@")
  }
}

extension PreferencesStore {
  /// The value of a key in this store, whatever the key's own suite is.
  public subscript<Value: Defaults.Serializable>(key: Defaults.Key<Value>) -> Value {
    get { key.preference.in(self).value }
    set { key.preference.in(self).set(newValue) }
  }
}
