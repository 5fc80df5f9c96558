public import Preferences
public import TypedPreferences

extension Defaults {
  /// A key with values of a certain type, and a default for when nothing is stored.
  ///
  /// ```swift
  /// extension Defaults.Keys {
  ///   static let quality = Key<Double>("quality", default: 0.8)
  ///   static let name = Key<String?>("name")
  ///   static let folder = Key<String>("folder") { defaultFolder() }
  /// }
  /// ```
  ///
  /// Any string is a valid name. Keys with the same name and store but different types are
  /// independent views of the same stored value.
  public final class Key<Value: Serializable>: _AnyKey, @unchecked Sendable {
    // Sendable because it has no mutable state.

    /// The implementation, shared with the other front ends.
    package var preference: TypedPreference<Value> { declaration.preference }
    private let declaration: KeyDeclaration<Value>

    /// - Parameter suite: Nil for the standard store, which need not be open.
    init(
      _ name: String, _ traits: [PreferenceTrait<Value>], in suite: PreferencesStore?,
      coder: PlistCoder<Value> = .serializable(), _ fallback: KeyDeclaration<Value>.Fallback,
      _ migrations: [Migration<Value>], iCloud: Bool = false
    ) {
      var prepare: (@Sendable (TypedPreference<Value>) -> Void)?
      if !migrations.isEmpty { prepare = { $0.migrate(by: migrations) } }
      declaration = KeyDeclaration(
        name, traits, in: suite, coder: coder, fallback: fallback, preparing: prepare)
      super.init(declaration)
      guard iCloud else { return }
      if suite == nil {
        PreferencesStore.whenStandardOpens { [self] in Defaults.iCloud.add(self) }
      } else {
        Defaults.iCloud.add(self)
      }
    }

    // MARK: Values

    /// The value if nothing is stored. A dynamic default is computed by each call.
    public var defaultValue: Value { preference.makeDefault() }

    /// Returns the value in the key's suite, or the default if there is none.
    ///
    /// - Throws: ``Defaults/Failure`` if the stored value cannot be decoded. `Defaults[key]`
    ///   returns the default then.
    public func load() throws(Failure) -> Value {
      try preference.load()
    }

    /// Stores a value in the key's suite.
    ///
    /// - Throws: ``Defaults/Failure`` if the value cannot be encoded, or if the suite refuses it;
    ///   the stored value is then unchanged. `Defaults[key]` only reports the failure.
    public func store(_ value: Value) throws(Failure) {
      try preference.save(value)
    }
  }
}

extension Defaults.Key {
  /// Creates a key with a default, which is registered with the suite.
  ///
  /// - Parameters:
  ///   - name: The key's name in the suite.
  ///   - defaultValue: The value if nothing is stored.
  ///   - traits: What the key is for, its limits, and where else values come from.
  ///   - suite: The store of the value; nil for `PreferencesStore.standard`, which need not be open.
  ///   - iCloud: Whether the key is synchronized across machines; see ``Defaults/iCloud``.
  ///   - migrations: Migrations of values that older versions of the program have stored.
  public convenience init(
    _ name: String, default defaultValue: Value, _ traits: PreferenceTrait<Value>...,
    suite: PreferencesStore? = nil, iCloud: Bool = false,
    migrate migrations: Defaults.Migration<Value>...
  ) {
    self.init(name, traits, in: suite, .fixed(defaultValue), migrations, iCloud: iCloud)
  }

  /// Creates a key with a dynamic default, which is computed whenever it is needed and not
  /// registered.
  ///
  /// The closure is called on the thread that reads the value.
  @_disfavoredOverload
  public convenience init(
    _ name: String, _ traits: PreferenceTrait<Value>..., suite: PreferencesStore? = nil,
    iCloud: Bool = false, migrate migrations: Defaults.Migration<Value>...,
    default makeDefault: @escaping () -> Value
  ) {
    // Any thread may call the closure, as documented. The original library does not require it to
    // be Sendable.
    nonisolated(unsafe) let makeDefault = makeDefault
    self.init(name, traits, in: suite, .computed { makeDefault() }, migrations, iCloud: iCloud)
  }

  /// Creates a key whose default is nil. Setting nil removes the stored value.
  public convenience init<Wrapped: Defaults.Serializable>(
    _ name: String, _ traits: PreferenceTrait<Value>..., suite: PreferencesStore? = nil,
    iCloud: Bool = false, migrate migrations: Defaults.Migration<Value>...
  ) where Value == Wrapped? {
    self.init(name, traits, in: suite, .computed { nil }, migrations, iCloud: iCloud)
  }

  /// Creates a key with a default whose value can be set to nil, which is then stored.
  public convenience init<Wrapped: Defaults.Serializable>(
    _ name: String, initial: Wrapped, _ traits: PreferenceTrait<Value>...,
    suite: PreferencesStore? = nil, iCloud: Bool = false,
    migrate migrations: Defaults.Migration<Value>...
  ) where Value == Wrapped? {
    self.init(
      name, traits, in: suite, coder: PlistCoder.serializable().storingNil(), .fixed(initial),
      migrations, iCloud: iCloud)
  }
}

extension Defaults {
  /// Returns whether Apple's key-value observing supports a key name: whether it is ASCII, contains
  /// no dot and does not begin with `@`. Here all names can be observed.
  public static func isValidKeyPath(name: String) -> Bool {
    name.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: ".") } && !name.hasPrefix("@")
  }
}
