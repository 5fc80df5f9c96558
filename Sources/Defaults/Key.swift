public import Preferences
package import TypedPreferences

extension Defaults {
  /// A key with the type of its values, and the default that it has where nothing is stored.
  ///
  /// ```swift
  /// extension Defaults.Keys {
  ///   static let quality = Key<Double>("quality", default: 0.8)
  ///   static let name = Key<String?>("name")
  ///   static let folder = Key<String>("folder") { defaultFolder() }
  /// }
  /// ```
  public final class Key<Value: Serializable>: _AnyKey, @unchecked Sendable {
    // Sendable because nothing in it varies.

    /// What it shares with the other front ends.
    package let preference: TypedPreference<Value>

    private init(
      _ name: String, _ suite: PreferencesStore, coder: PlistCoder<Value>,
      default makeDefault: @escaping @Sendable () -> Value
    ) {
      preference = TypedPreference(name, in: suite, coder: coder, default: makeDefault)
      super.init(name: name, suite: suite)
    }

    /// The value where nothing is stored.
    public var defaultValue: Value { preference.makeDefault() }

    /// A key with a default, which is registered with the suite.
    public convenience init(
      _ name: String, default defaultValue: Value, suite: PreferencesStore = .standard,
      iCloud: Bool = false
    ) {
      // Whoever shares a default among threads has to see to it that it can be.
      nonisolated(unsafe) let defaultValue = defaultValue
      self.init(name, suite, coder: .serializable()) { defaultValue }
      preference.registerDefault()
    }

    /// A key whose default is made anew whenever it is needed, and is not registered.
    @_disfavoredOverload
    public convenience init(
      _ name: String, suite: PreferencesStore = .standard, iCloud: Bool = false,
      default makeDefault: @escaping @Sendable () -> Value
    ) {
      self.init(name, suite, coder: .serializable(), default: makeDefault)
    }

    /// A key whose default is nil. To set nil removes what is stored.
    public convenience init<Wrapped: Serializable>(
      _ name: String, suite: PreferencesStore = .standard, iCloud: Bool = false
    ) where Value == Wrapped? {
      self.init(name, suite, coder: .serializable()) { nil }
    }

    /// A key that has a value at first and can be set to nil, which is stored, too.
    public convenience init<Wrapped: Serializable>(
      _ name: String, initial: Wrapped, suite: PreferencesStore = .standard, iCloud: Bool = false
    ) where Value == Wrapped? {
      nonisolated(unsafe) let initial = initial
      self.init(name, suite, coder: PlistCoder.serializable().storingNil()) { initial }
      preference.registerDefault()
    }
  }
}
