public import TypedPreferences

/// A property that is the value of a key.
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
/// It holds nothing: it is read and set where `Defaults[.volume]` is. So the Observation framework tracks it
/// within any type, and `$volume` publishes the present value and then each one that it becomes, muted or
/// not.
@propertyWrapper
public struct Default<Value: Defaults.Serializable>: Sendable {
  private let key: Defaults.Key<Value>

  /// The value of a key.
  public init(_ key: Defaults.Key<Value>) {
    self.key = key
  }

  /// The value, in the key's suite.
  public var wrappedValue: Value {
    get { key.preference.value }
    nonmutating set { key.preference.set(newValue) }
  }

  /// The present value, and then each one that it becomes, to each subscriber from its subscription on.
  public var projectedValue: AnyPublisher<Value, Never> { key.preference.publisher() }

  /// The value where nothing is stored.
  public var defaultValue: Value { key.defaultValue }

  /// Removes what is stored, so that the value is the default.
  public func reset() {
    key.reset()
  }
}

extension Default where Value: Equatable {
  /// Whether the value equals the default.
  public var isDefaultValue: Bool { wrappedValue == defaultValue }
}
