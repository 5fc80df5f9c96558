public import Preferences

extension Defaults {
  /// Where keys are declared as static properties, so that `Defaults[.name]` finds them.
  public typealias Keys = _AnyKey

  /// A key, whatever the type of its values is.
  public class _AnyKey: @unchecked Sendable {
    // Sendable because neither it nor its only subclass, `Key`, has anything that varies.

    /// A key with a type.
    public typealias Key = Defaults.Key

    /// The name under which the value is stored.
    public let name: String
    /// The store in which it is.
    public let suite: PreferencesStore

    private let hasDefault: @Sendable () -> Bool

    init(name: String, suite: PreferencesStore, hasDefault: @escaping @Sendable () -> Bool) {
      self.name = name
      self.suite = suite
      self.hasDefault = hasDefault
    }

    /// Whether the key's value would be stored as its default would be.
    public var isDefaultValue: Bool { hasDefault() }

    /// Removes what is stored, so that the key has its default.
    public func reset() {
      suite.removeObject(forKey: name)
    }
  }
}

extension Defaults._AnyKey: Hashable {
  /// Whether they are of the same name, letter for letter, and store.
  public static func == (left: Defaults._AnyKey, right: Defaults._AnyKey) -> Bool {
    left.name.utf8.elementsEqual(right.name.utf8) && left.suite === right.suite
  }

  /// Feeds the name and the store.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(ObjectIdentifier(suite))
  }
}
