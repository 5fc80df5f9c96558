public import Preferences
public import TypedPreferences

/// A property that is kept in preferences, with a default.
///
/// The default is registered with the store. A stored value of which none of the type can be made is left
/// as it is, reported through `TypedPreferenceError.onFailure(_:)`, and read as the
/// default; where a Codable type has got further properties, these are the default's. A value that cannot
/// be stored is reported, too, and the old one stays.
///
/// ```swift
/// struct AppSettings {
///   @FoilDefaultStorage(key: "volume")
///   var volume = 0.5
/// }
/// ```
@propertyWrapper
public struct FoilDefaultStorage<T: UserDefaultsSerializable> {
  private let preference: TypedPreference<T>

  /// The value. Tracked by the Observation framework.
  public var wrappedValue: T {
    get { preference.value }
    nonmutating set { preference.set(newValue) }
  }

  /// The value, at once, and then each one that it changes to, whoever changes it.
  public var projectedValue: AnyPublisher<T, Never> { preference.publisher() }

  /// A property.
  ///
  /// - Parameters:
  ///   - wrappedValue: The default.
  ///   - key: The key.
  ///   - userDefaults: The store.
  public init(wrappedValue: T, key: String, userDefaults: PreferencesStore = .standard) {
    preference = TypedPreference(
      key, in: userDefaults, coder: .serializable(), default: wrappedValue)
  }
}

extension FoilDefaultStorage: Sendable where T: Sendable {}

extension FoilDefaultStorage: Equatable where T: Equatable {
  /// Whether the values are equal.
  public static func == (left: FoilDefaultStorage, right: FoilDefaultStorage) -> Bool {
    left.wrappedValue == right.wrappedValue
  }
}

extension FoilDefaultStorage: Hashable where T: Hashable {
  /// Feeds the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(wrappedValue)
  }
}
