public import Preferences
internal import PropertyList
public import TypedPreferences

extension Defaults {
  /// The keys of a store whose names begin with a common prefix and a dot.
  ///
  /// ```swift
  /// let network = Defaults.Namespace("network")
  /// let proxy = network.key("proxy", default: "none")  // stored as "network.proxy"
  /// network["retries"] = 3
  /// ```
  public struct Namespace: Sendable {
    /// The prefix, without the dot.
    public let name: String
    /// The store of the values. A namespace of `PreferencesStore.standard` is always in the store that
    /// is standard where it is used.
    public var suite: PreferencesStore { reference.store }

    private let reference: StoreReference

    /// Creates a namespace of a store.
    public init(_ name: String, suite: PreferencesStore = .standard) {
      self.name = name
      reference = StoreReference(suite)
    }

    private init(_ name: String, _ reference: StoreReference) {
      self.name = name
      self.reference = reference
    }

    /// Returns a namespace within this one.
    public func namespace(_ name: String) -> Namespace {
      Namespace(fullName(of: name), reference)
    }

    /// Returns the name in the store of a key of the namespace.
    public func fullName(of name: String) -> String {
      self.name + "." + name
    }

    // MARK: Keys

    /// Returns a key with a default, which is registered with the store.
    public func key<Value: Serializable>(
      _ name: String, default defaultValue: Value, _ traits: PreferenceTrait<Value>...,
      migrate migrations: Migration<Value>...
    ) -> Key<Value> {
      Key(fullName(of: name), traits, in: suite, .fixed(defaultValue), migrations)
    }

    /// Returns a key whose default is nil.
    public func key<Value: Serializable>(
      _ name: String, of type: Value.Type = Value.self, _ traits: PreferenceTrait<Value?>...,
      migrate migrations: Migration<Value?>...
    ) -> Key<Value?> {
      Key(fullName(of: name), traits, in: suite, .computed { nil }, migrations)
    }

    /// The value of a key whose type is not known in advance; nil if nothing is stored.
    public subscript(name: String) -> AnySerializable? {
      get { suite[key(name, of: AnySerializable.self)] }
      nonmutating set { suite[key(name, of: AnySerializable.self)] = newValue }
    }

    // MARK: All keys

    /// The sorted names, without the namespace's prefix, of all keys with a value in any layer of
    /// the store.
    public var names: [String] {
      let prefix = fullName(of: "").utf8
      return suite.plistRepresentation.keys.compactMap { key in
        key.utf8.starts(with: prefix) ? String(key.utf8.dropFirst(prefix.count)) : nil
      }.sorted()
    }

    /// Removes the stored values of all keys, so that they have their defaults.
    public func removeAll() {
      for name in names { suite.removeObject(forKey: fullName(of: name)) }
    }
  }
}
