public import Preferences
public import TypedPreferences

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
  ///
  /// The name may be any text. Keys of the same name and store and of different types are independent
  /// views of the same stored value.
  public final class Key<Value: Serializable>: _AnyKey, @unchecked Sendable {
    // Sendable because nothing in it varies.

    /// What it shares with the other front ends.
    package let preference: TypedPreference<Value>

    private init(
      _ preference: TypedPreference<Value>, _ migrations: [Migration<Value>], iCloud: Bool
    ) {
      self.preference = preference
      super.init(name: preference.name, suite: preference.store) {
        let (value, other) = (preference.value, preference.makeDefault())
        return (try? preference.coder.encode(value)) == (try? preference.coder.encode(other))
      }
      if !migrations.isEmpty { preference.migrate(by: migrations) }
      if iCloud { Defaults.iCloud.add(self) }
    }

    // MARK: Values

    /// The value where nothing is stored. One that is made anew is made by each call.
    public var defaultValue: Value { preference.makeDefault() }

    /// The value in the key's suite, or the default where there is none.
    ///
    /// - Throws: Why what is stored cannot be read, where `Defaults[key]` gives the default.
    public func load() throws(Failure) -> Value {
      try preference.load()
    }

    /// Stores a value in the key's suite.
    ///
    /// - Throws: Why it cannot be stored, where `Defaults[key]` only reports that. What was stored is left.
    public func store(_ value: Value) throws(Failure) {
      try preference.save(value)
    }
  }
}

extension Defaults.Key {
  /// A key with a default, which is registered with the suite.
  ///
  /// - Parameters:
  ///   - name: The name under which the value is stored.
  ///   - defaultValue: The value where nothing is stored.
  ///   - suite: The store.
  ///   - iCloud: Whether it is kept the same on many machines, as ``Defaults/iCloud`` says.
  ///   - migrations: What is made of values that older versions have stored.
  public convenience init(
    _ name: String, default defaultValue: Value, suite: PreferencesStore = .standard,
    iCloud: Bool = false, migrate migrations: Defaults.Migration<Value>...
  ) {
    self.init(
      name, suite: suite, iCloud: iCloud, migrations: migrations, default: defaultValue)
  }

  convenience init(
    _ name: String, suite: PreferencesStore, iCloud: Bool = false,
    migrations: [Defaults.Migration<Value>], default defaultValue: Value
  ) {
    self.init(
      TypedPreference(name, in: suite, coder: .serializable(), default: defaultValue), migrations,
      iCloud: iCloud)
  }

  /// A key whose default is made anew whenever it is needed, and is not registered.
  @_disfavoredOverload
  public convenience init(
    _ name: String, suite: PreferencesStore = .standard, iCloud: Bool = false,
    migrate migrations: Defaults.Migration<Value>...,
    default makeDefault: @escaping @Sendable () -> Value
  ) {
    self.init(
      TypedPreference(name, in: suite, coder: .serializable(), default: makeDefault), migrations,
      iCloud: iCloud)
  }

  /// A key whose default is nil. To set nil removes what is stored.
  public convenience init<Wrapped: Defaults.Serializable>(
    _ name: String, suite: PreferencesStore = .standard, iCloud: Bool = false,
    migrate migrations: Defaults.Migration<Value>...
  ) where Value == Wrapped? {
    self.init(name, suite: suite, iCloud: iCloud, migrations: migrations)
  }

  convenience init<Wrapped: Defaults.Serializable>(
    _ name: String, suite: PreferencesStore, iCloud: Bool = false,
    migrations: [Defaults.Migration<Value>]
  ) where Value == Wrapped? {
    self.init(
      TypedPreference(name, in: suite, coder: .serializable()) { nil }, migrations, iCloud: iCloud)
  }

  /// A key that has a value at first and can be set to nil, which is stored, too.
  public convenience init<Wrapped: Defaults.Serializable>(
    _ name: String, initial: Wrapped, suite: PreferencesStore = .standard, iCloud: Bool = false,
    migrate migrations: Defaults.Migration<Value>...
  ) where Value == Wrapped? {
    self.init(
      TypedPreference(
        name, in: suite, coder: PlistCoder.serializable().storingNil(), default: initial),
      migrations, iCloud: iCloud)
  }
}
