public import FoundationEssentials
public import PropertyList

/// Values that can be read by key, converted as NSUserDefaults converts them.
///
/// ``PreferencesStore``, ``PreferencesSnapshot`` and ``PreferencesGroup`` conform, so that one
/// function reads its settings from any of them:
///
/// ```swift
/// func endpoint(_ preferences: some ReadablePreferences) -> Endpoint {
///   Endpoint(host: preferences.string(forKey: "host"), port: preferences.integer(forKey: "port"))
/// }
/// ```
///
/// A conforming type implements ``plistValue(forKey:)``.
public protocol ReadablePreferences {
  /// The value of a key; nil if there is none.
  func plistValue(forKey key: String) -> PlistValue?
}

extension ReadablePreferences {
  /// Whether there is a value for a key.
  public func containsValue(forKey key: String) -> Bool { plistValue(forKey: key) != nil }

  /// The value of a key as exactly an `Int`, `Double`, `Bool`, `String`, `Date`, `Data`, `[Any]` or
  /// `[String: Any]`; nil if there is none.
  public func object(forKey key: String) -> Any? { plistValue(forKey: key)?.anyValue }

  /// The string of a key, the text of its number, or `1` or `0` for a Boolean; nil for anything else.
  public func string(forKey key: String) -> String? { plistValue(forKey: key)?.coercedString }

  /// The array of a key; nil for anything else.
  public func array(forKey key: String) -> [Any]? {
    guard let value = plistValue(forKey: key), case .array = value else { return nil }
    return value.anyValue as? [Any]
  }

  /// The dictionary of a key; nil for anything else.
  public func dictionary(forKey key: String) -> [String: Any]? {
    plistValue(forKey: key).flatMap { PlistDictionary.read(from: $0, isText: false)?.anyValues }
  }

  /// The data of a key; nil for anything else.
  public func data(forKey key: String) -> Data? {
    plistValue(forKey: key).flatMap { Data.read(from: $0, isText: false) }
  }

  /// The array of a key if all its elements are strings; nil for anything else.
  public func stringArray(forKey key: String) -> [String]? {
    plistValue(forKey: key).flatMap { [String].read(from: $0, isText: false) }
  }

  /// The integer, the whole part of a real, the number that a string begins with, or 1 for true; 0
  /// for anything else.
  public func integer(forKey key: String) -> Int { plistValue(forKey: key)?.coercedInteger ?? 0 }

  /// The number, the number that a string begins with, or 1 for true; 0 for anything else.
  public func float(forKey key: String) -> Float { plistValue(forKey: key)?.coercedFloat ?? 0 }

  /// The number, the number that a string begins with, or 1 for true; 0 for anything else.
  public func double(forKey key: String) -> Double { plistValue(forKey: key)?.coercedDouble ?? 0 }

  /// The Boolean, whether a number is not 0, or whether a string begins with Y, T or a nonzero
  /// number; false for anything else.
  public func bool(forKey key: String) -> Bool { plistValue(forKey: key)?.coercedBool ?? false }

  /// The URL that was set, or the file URL of a path; nil for anything else.
  public func url(forKey key: String) -> URL? { plistValue(forKey: key).flatMap(URLCoding.url) }
}
