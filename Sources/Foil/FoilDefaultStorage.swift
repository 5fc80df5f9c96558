public import Preferences
@_exported public import PreferencesFoundation
@_exported public import TypedPreferences

/// A property whose value is stored in preferences, with a default.
///
/// The default is registered with the store. A stored value that cannot be converted to the type is
/// reported through `TypedPreferenceError.onFailure(_:)`, stays unchanged, and is read as the
/// default; properties that have been added to a Codable type since are taken from the default. A
/// value that cannot be stored is also reported, and the old one stays.
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

  /// The key's name in the store.
  public var key: String { preference.name }

  /// The value. The Observation framework tracks it.
  public var wrappedValue: T {
    get { preference.value }
    nonmutating set { preference.set(newValue) }
  }

  /// A publisher of the current value and then of each new value, including those set by other
  /// processes.
  public var projectedValue: AnyPublisher<T, Never> { preference.publisher() }

  /// Creates a property.
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
  /// Returns whether the keys and the values are equal.
  public static func == (left: FoilDefaultStorage, right: FoilDefaultStorage) -> Bool {
    left.key == right.key && left.wrappedValue == right.wrappedValue
  }
}

extension FoilDefaultStorage: Hashable where T: Hashable {
  /// Hashes the key and the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(wrappedValue)
  }
}

/// A property whose value is stored in preferences, without a default.
///
/// Setting nil removes the stored value. A stored value that cannot be converted to the type is
/// reported through `TypedPreferenceError.onFailure(_:)`, stays unchanged, and is read as nil. A
/// value that cannot be stored is also reported, and the old one stays.
///
/// ```swift
/// struct AppSettings {
///   @FoilDefaultStorageOptional(key: "lastVisit")
///   var lastVisit: Date?
/// }
/// ```
@propertyWrapper
public struct FoilDefaultStorageOptional<T: UserDefaultsSerializable> {
  private let preference: TypedPreference<T?>

  /// The key's name in the store.
  public var key: String { preference.name }

  /// The value; nil if none is stored. The Observation framework tracks it.
  public var wrappedValue: T? {
    get { preference.value }
    nonmutating set { preference.set(newValue) }
  }

  /// A publisher of the current value and then of each new value, including those set by other
  /// processes.
  public var projectedValue: AnyPublisher<T?, Never> { preference.publisher() }

  /// Creates a property.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - userDefaults: The store.
  public init(key: String, userDefaults: PreferencesStore = .standard) {
    preference = TypedPreference(key, in: userDefaults, coder: .optional(of: .serializable())) {
      nil
    }
  }
}

extension FoilDefaultStorageOptional: Sendable where T: Sendable {}

extension FoilDefaultStorageOptional: Equatable where T: Equatable {
  /// Returns whether the keys are equal, and the values are equal or both nil.
  public static func == (
    left: FoilDefaultStorageOptional, right: FoilDefaultStorageOptional
  ) -> Bool {
    left.key == right.key && left.wrappedValue == right.wrappedValue
  }
}

extension FoilDefaultStorageOptional: Hashable where T: Hashable {
  /// Hashes the key and the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(wrappedValue)
  }
}
