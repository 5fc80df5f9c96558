public import Manifests
public import Preferences
internal import PropertyList

/// A key that a program declares, so that a manifest can list it.
public protocol DeclaredPreference: Sendable {
  /// What a manifest says about the key.
  var manifestKey: PreferencesManifest.Key { get }
}

/// A typed key of a ``Preferences/PreferencesStore``, for programs that do not use `Defaults`,
/// `Foil` or `TypedDefaults`.
///
/// ```swift
/// enum Keys {
///   static let tabWidth = PreferenceKey<Int>("tabWidth", default: 4, .range(1...16))
///   static let folder = PreferenceKey<String?>("folder", .title("Folder of the notes"))
/// }
///
/// let width = PreferencesStore.standard[Keys.tabWidth]
/// PreferencesStore.standard[Keys.folder] = "/srv/notes"
/// try Keys.tabWidth.store(8)
/// ```
///
/// Values can have any Codable type. Property-list types, and containers of these, are stored
/// without conversion. Enumerations with raw values are stored as their raw values, and other types
/// as the dictionaries and arrays that they encode. The key can be created before its store is
/// opened.
public final class PreferenceKey<Value: Codable & SendableMetatype>: DeclaredPreference {
  private let declaration: KeyDeclaration<Value>

  /// The key's name in the store.
  public var name: String { declaration.name }
  /// The value if nothing is stored.
  public var defaultValue: Value { declaration.preference.makeDefault() }
  /// What a manifest says about the key.
  public var manifestKey: PreferencesManifest.Key { declaration.manifestKey }

  /// Creates a key with a default, which is registered with the store.
  ///
  /// - Parameters:
  ///   - name: The key's name in the store.
  ///   - defaultValue: The value if nothing is stored.
  ///   - traits: What the key is for, its limits, and where else values come from.
  ///   - store: The store; nil for `PreferencesStore.standard`.
  public init(
    _ name: String, default defaultValue: Value, _ traits: PreferenceTrait<Value>...,
    store: PreferencesStore? = nil
  ) {
    declaration = KeyDeclaration(
      name, traits, in: store, coder: .declared(), fallback: .fixed(defaultValue))
  }

  /// Creates a key whose default is nil. Setting nil removes the stored value.
  public init<Wrapped: Codable & SendableMetatype>(
    _ name: String, _ traits: PreferenceTrait<Value>..., store: PreferencesStore? = nil
  ) where Value == Wrapped? {
    declaration = KeyDeclaration(
      name, traits, in: store, coder: .optional(of: .declared()), fallback: .computed { nil })
  }

  /// Returns the value in the key's store, or the default if there is none.
  ///
  /// - Throws: ``TypedPreferenceError`` if the stored value has another type or is outside the
  ///   key's limits. `store[key]` reports that and returns the default.
  public func load() throws(TypedPreferenceError) -> Value { try declaration.preference.load() }

  /// Stores a value in the key's store.
  ///
  /// - Throws: ``TypedPreferenceError`` if the value is outside the key's limits, or if the store
  ///   refuses it; the stored value is then unchanged. `store[key] = value` reports the error.
  public func store(_ value: Value) throws(TypedPreferenceError) {
    try declaration.preference.save(value)
  }

  /// Removes the stored value, so that the key has its default.
  public func reset() { declaration.preference.remove() }

  fileprivate func preference(in store: PreferencesStore) -> TypedPreference<Value> {
    declaration.preference.in(store)
  }
}

extension PreferencesStore {
  /// The value of a key in this store, regardless of the key's own.
  public subscript<Value>(key: PreferenceKey<Value>) -> Value {
    get { key.preference(in: self).value }
    set { key.preference(in: self).set(newValue) }
  }
}

// MARK: Coders

extension PlistCoder where Value: Codable & SendableMetatype {
  /// The coder of a declared key of a Codable type.
  fileprivate static func declared() -> PlistCoder {
    if let standard = standard() { return standard }
    var coder = codablePlist()
    guard Value.self is any UnorderedCollection.Type else { return coder }
    // Equal sets have the same stored form.
    coder.encode = { [encode = coder.encode] value throws(ValueConversionError) in
      let stored = try encode(value)
      guard case .array(let elements) = stored else { return stored }
      return .array(elements.sortedByBinaryForm)
    }
    return coder
  }
}

private protocol UnorderedCollection {}

extension Set: UnorderedCollection {}
