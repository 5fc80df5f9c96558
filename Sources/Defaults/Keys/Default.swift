public import TypedPreferences

/// A property wrapper for the value of a key.
///
/// ```swift
/// struct Player {
///   @Default(.volume) var volume
/// }
///
/// let player = Player()
/// player.volume = 0.5
/// ```
///
/// The property has no storage: it reads and sets `Defaults[.volume]`, so the Observation framework
/// tracks it in any type. `$volume` publishes the present value and the value after each change,
/// including changes within ``Defaults/Defaults/withoutPropagation(_:)``.
@propertyWrapper
public struct Default<Value: Defaults.Serializable>: Sendable {
  /// A publisher of the changes of the key.
  public typealias Publisher = AnyPublisher<Defaults.KeyChange<Value>, Never>

  private let key: Defaults.Key<Value>

  /// Creates a property for the value of a key.
  public init(_ key: Defaults.Key<Value>) {
    self.key = key
  }

  /// The value in the key's suite.
  public var wrappedValue: Value {
    get { key.preference.value }
    nonmutating set { key.preference.set(newValue) }
  }

  /// A publisher of the present value at subscription, and of the value after each change.
  public var projectedValue: AnyPublisher<Value, Never> { key.preference.publisher() }

  /// A publisher of the changes of the key, as ``Defaults/Defaults/publisher(_:options:)`` returns
  /// it.
  public var publisher: Publisher { Defaults.publisher(key) }

  /// The value if nothing is stored.
  public var defaultValue: Value { key.defaultValue }

  /// Removes the stored value, so that the value is the default.
  public func reset() {
    key.reset()
  }
}

extension Default where Value: Equatable {
  /// Whether the value equals the default.
  public var isDefaultValue: Bool { wrappedValue == defaultValue }
}
