internal import PropertyList

/// Typed values, where a missing value and one of another type are errors.
///
/// Unlike ``PreferencesStore/integer(forKey:)`` and the other getters of NSUserDefaults, these
/// convert nothing: a string is not a number. Only the command line and the environment, which are
/// text, are read as the requested type.
extension PreferencesStore {
  /// Returns the value of a key.
  ///
  /// ```swift
  /// let port = try store.value(UInt16.self, forKey: "listen.port")
  /// ```
  ///
  /// - Throws: ``PreferencesError/missingValue(key:domain:)`` or
  ///   ``PreferencesError/wrongType(key:expected:found:layer:)``.
  public func value<Value: PlistValueReadable>(
    _ type: Value.Type, forKey key: String
  ) throws(PreferencesError) -> Value {
    guard let value = try valueIfPresent(type, forKey: key) else {
      throw .missingValue(key: key, domain: domain)
    }
    return value
  }

  /// Returns the value of a key; nil if no layer has one.
  ///
  /// - Throws: ``PreferencesError/wrongType(key:expected:found:layer:)``.
  public func valueIfPresent<Value: PlistValueReadable>(
    _ type: Value.Type, forKey key: String
  ) throws(PreferencesError) -> Value? {
    guard let found = plistValue(forKey: key) else { return nil }
    if let value = Value.read(from: found, isText: false) { return value }
    // Only its layer tells whether the value is text. Another layer may supply it by now.
    guard let origin = origin(forKey: key) else { return nil }
    let isText = origin.layer.kind == .argument || origin.layer.kind == .environment
    if let value = Value.read(from: origin.value, isText: isText) { return value }
    throw .wrongType(
      key: key, expected: Value.plistDescription, found: origin.value.kind, layer: origin.layer)
  }
}
