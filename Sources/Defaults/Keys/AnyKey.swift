public import Preferences
internal import PropertyList
public import TypedPreferences

extension Defaults {
  /// The type to extend with static keys, so that `Defaults[.name]` finds them.
  public typealias Keys = _AnyKey

  /// A key with values of any type.
  public class _AnyKey: DeclaredPreference, @unchecked Sendable {
    // Sendable because neither this class nor its only subclass, `Key`, has mutable state.

    /// A key with values of a certain type.
    public typealias Key = Defaults.Key

    /// The key's name in the store.
    public var name: String { key.name }
    /// The store that holds the value. A key of `PreferencesStore.standard` uses whichever store is
    /// standard where the key is used.
    public var suite: PreferencesStore { reference.store }

    /// The key without its type.
    private let key: any UntypedKey
    /// The store, or the standard one.
    var reference: StoreReference { key.reference }

    init(_ key: any UntypedKey) { self.key = key }

    /// Whether the key's value equals its default: the stored forms are equal, or the objects
    /// archived in them are.
    public var isDefaultValue: Bool { key.isDefaultValue }

    /// What a manifest says about the key.
    public var manifestKey: PreferencesManifest.Key { key.manifestKey }

    func keepsValue(_ change: PreferencesChange) -> Bool { key.keepsValue(change) }

    /// Removes the stored value, so that the key has its default.
    public func reset() {
      suite.removeObject(forKey: name)
    }
  }
}

/// The requirements that keys of all types share.
protocol UntypedKey: AnyObject, Sendable {
  var name: String { get }
  var reference: StoreReference { get }
  var isDefaultValue: Bool { get }
  var manifestKey: PreferencesManifest.Key { get }
  func keepsValue(_ change: PreferencesChange) -> Bool
}

extension KeyDeclaration: UntypedKey {
  var reference: StoreReference { preference.reference }
  var isDefaultValue: Bool { preference.isDefault }
  func keepsValue(_ change: PreferencesChange) -> Bool { preference.keepsValue(change) }
}

extension PreferencesManifest {
  /// Creates the manifest of a program's keys: `PreferencesManifest("org.example.notes", .tabWidth)`.
  ///
  /// - Parameters:
  ///   - domain: The domain, such as `org.example.notes`.
  ///   - title: The domain's name for people.
  ///   - description: What the program is.
  ///   - keys: The keys, in the order of all texts.
  public init(
    _ domain: String, title: String? = nil, description: String? = nil, _ keys: Defaults.Keys...
  ) {
    self.init(
      domain: domain, title: title, description: description, keys: keys.map(\.manifestKey))
  }
}

extension Defaults._AnyKey: Hashable {
  /// Returns whether two keys have the same store, or both the standard store, and the same name by
  /// its bytes.
  public static func == (left: Defaults._AnyKey, right: Defaults._AnyKey) -> Bool {
    left.name.utf8.elementsEqual(right.name.utf8) && left.reference == right.reference
  }

  /// Hashes the name and the store.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(reference)
  }
}
