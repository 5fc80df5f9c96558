public import FoundationEssentials
public import PropertyList

/// Preferences as values by key, for code whose tests replace the store.
///
/// ``PreferencesStore`` conforms, and so does Foundation's `UserDefaults` with one line: `extension
/// Foundation.UserDefaults: @retroactive KeyValuePreferences {}`. A mock implements the first three
/// requirements. The others are requirements so that a call reaches the implementation of
/// `UserDefaults`; by default ``ReadablePreferences`` implements the getters, which convert as
/// ``PreferencesStore`` does.
///
/// ```swift
/// final class Mock: KeyValuePreferences {
///   var values: [String: Any] = [:]
///   func object(forKey key: String) -> Any? { values[key] }
///   func set(_ value: Any?, forKey key: String) { values[key] = value }
///   func removeObject(forKey key: String) { values[key] = nil }
/// }
/// ```
public protocol KeyValuePreferences: AnyObject, ReadablePreferences {
  /// The value of a key; nil if there is none.
  func object(forKey key: String) -> Any?
  /// Sets a value; nil removes it.
  func set(_ value: Any?, forKey key: String)
  /// Removes the value of a key.
  func removeObject(forKey key: String)

  /// The string of a key, or the text of its number.
  func string(forKey key: String) -> String?
  /// The array of a key.
  func array(forKey key: String) -> [Any]?
  /// The dictionary of a key.
  func dictionary(forKey key: String) -> [String: Any]?
  /// The data of a key.
  func data(forKey key: String) -> Data?
  /// The array of a key if all its elements are strings.
  func stringArray(forKey key: String) -> [String]?
  /// The URL of a key.
  func url(forKey key: String) -> URL?
  /// The integer of a key; 0 if there is none.
  func integer(forKey key: String) -> Int
  /// The number of a key; 0 if there is none.
  func float(forKey key: String) -> Float
  /// The number of a key; 0 if there is none.
  func double(forKey key: String) -> Double
  /// The Boolean of a key; false if there is none.
  func bool(forKey key: String) -> Bool

  /// Sets an integer.
  func set(_ value: Int, forKey key: String)
  /// Sets a number.
  func set(_ value: Float, forKey key: String)
  /// Sets a number.
  func set(_ value: Double, forKey key: String)
  /// Sets a Boolean.
  func set(_ value: Bool, forKey key: String)
  /// Sets a URL; nil removes it.
  func set(_ url: URL?, forKey key: String)
}

extension PreferencesStore: KeyValuePreferences {}

/// The default implementations, except for the getters.
extension KeyValuePreferences {
  /// The object of a key as a property list value; nil if preferences cannot hold it.
  public func plistValue(forKey key: String) -> PlistValue? {
    object(forKey: key).flatMap { try? PlistValue(storing: $0) }
  }

  /// Without this, the implementation in ``ReadablePreferences`` would satisfy the requirement, and
  /// call itself.
  @available(*, unavailable, message: "a type that conforms implements object(forKey:)")
  public func object(forKey key: String) -> Any? { nil }

  /// Sets an integer.
  public func set(_ value: Int, forKey key: String) { set(value as Any?, forKey: key) }
  /// Sets a number.
  public func set(_ value: Float, forKey key: String) { set(value as Any?, forKey: key) }
  /// Sets a number.
  public func set(_ value: Double, forKey key: String) { set(value as Any?, forKey: key) }
  /// Sets a Boolean.
  public func set(_ value: Bool, forKey key: String) { set(value as Any?, forKey: key) }
  /// Sets a URL; nil removes it.
  public func set(_ url: URL?, forKey key: String) {
    if let url { set(url as Any?, forKey: key) } else { removeObject(forKey: key) }
  }
}
