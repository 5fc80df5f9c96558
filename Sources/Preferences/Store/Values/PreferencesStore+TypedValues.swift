internal import PropertyList

/// Typed values, where a missing value and a value of another type are errors.
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
  ///   ``PreferencesError/wrongType(key:expected:found:layer:)``, which also reports an environment
  ///   variable that does not have the type of the registered default.
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
    if environment == nil, !readsKeyPaths {
      guard let found = plistValue(forKey: key) else { return nil }
      if let value = Value.read(from: found, isText: false) { return value }
    }
    // Whether the value is text, and whether it hides an unreadable variable, depends on its layer.
    let origin = readsKeyPaths ? origin(forKeyPath: key) : origin(forKey: key)
    if origin.map({ $0.layer.kind > .environment }) ?? true {
      try environment?.check(key, expected: Value.plistDescription)
    }
    guard let origin else { return nil }
    if let value = origin.value(as: type) { return value }
    throw .wrongType(
      key: key, expected: Value.plistDescription, found: origin.value.kind, layer: origin.layer)
  }

  /// The first layer that has a value for a key, or for the key as a key path.
  private func origin(forKeyPath key: String) -> PreferencesOrigin? {
    searchList.resolve(CollectionOfOne(key))
    for entry in searchList.entries {
      var (rest, find) = (key, entry.value(forKey:))
      while true {
        if let value = find(rest) {
          return PreferencesOrigin(
            layer: entry.layer.supplying(key, variable: environment?.variable(forKey: key)),
            value: value)
        }
        guard let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")),
          case .dictionary(let values)? = find(String(rest[..<dot]))
        else { break }
        rest = String(rest[rest.utf8.index(after: dot)...])
        find = { values[$0] }
      }
    }
    return nil
  }
}
