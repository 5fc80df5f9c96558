public import Preferences
public import TypedPreferences

/// A property that is kept in preferences, or nil.
///
/// To set nil deletes what is stored. A stored value of which none of the type can be made is left as it
/// is, reported through `TypedPreferenceError.onFailure(_:)`, and read as nil. A value that
/// cannot be stored is reported, too, and the old one stays.
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

  /// The value. Tracked by the Observation framework.
  public var wrappedValue: T? {
    get { preference.value }
    nonmutating set { preference.set(newValue) }
  }

  /// The value, at once, and then each one that it changes to, whoever changes it.
  public var projectedValue: AnyPublisher<T?, Never> { preference.publisher() }

  /// A property.
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
  /// Whether the values are equal, or both nil.
  public static func == (
    left: FoilDefaultStorageOptional, right: FoilDefaultStorageOptional
  ) -> Bool {
    left.wrappedValue == right.wrappedValue
  }
}

extension FoilDefaultStorageOptional: Hashable where T: Hashable {
  /// Feeds the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(wrappedValue)
  }
}
