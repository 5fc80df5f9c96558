public import FoundationEssentials
internal import PropertyList

/// Values by type, converted as NSUserDefaults converts them. ``ReadablePreferences`` has the other
/// getters, such as ``ReadablePreferences/array(forKey:)``. The getters for numbers, Booleans and
/// strings read without copying the value.
extension PreferencesStore {
  /// The value of a key as exactly an `Int`, `Double`, `Bool`, `String`, `Date`, `Data`, `[Any]` or
  /// `[String: Any]`; nil if no layer has one.
  public func object(forKey key: String) -> Any? { plistValue(forKey: key)?.anyValue }

  /// The same as ``object(forKey:)``.
  public func value(forKey key: String) -> Any? { object(forKey: key) }

  /// The string of a key, the text of its number, or `1` or `0` for a Boolean; nil for anything else.
  public func string(forKey key: String) -> String? {
    searchList.read(key) { $0.coercedString } ?? nil
  }

  /// The integer, the whole part of a real, the number that a string begins with, or 1 for true; 0
  /// for anything else.
  public func integer(forKey key: String) -> Int { searchList.read(key) { $0.coercedInteger } ?? 0 }

  /// The number, the number that a string begins with, or 1 for true; 0 for anything else.
  public func float(forKey key: String) -> Float { searchList.read(key) { $0.coercedFloat } ?? 0 }

  /// The number, the number that a string begins with, or 1 for true; 0 for anything else.
  public func double(forKey key: String) -> Double {
    searchList.read(key) { $0.coercedDouble } ?? 0
  }

  /// The Boolean, whether a number is not 0, or whether a string begins with Y, T or a nonzero
  /// number; false for anything else.
  public func bool(forKey key: String) -> Bool { searchList.read(key) { $0.coercedBool } ?? false }

  // MARK: Setting

  /// Sets a value of any type that preferences can hold; nil removes it.
  ///
  /// These are `String`, `Data`, `Bool`, `Date`, the number types with `Decimal`, `URL`,
  /// `PlistValue`, arrays, dictionaries with `String` keys, optionals and `AnyHashable` of all
  /// these, and types that conform to ``PlistValueConvertible``. Any other type is a programming
  /// error, which stops the program with a message that says where in the value it is;
  /// ``setAny(_:forKey:)`` throws instead.
  public func set(_ value: Any?, forKey key: String) {
    ProgrammingError.stopping(typeOf: { _ in value }) { () throws(PreferencesError) in
      put(try Self.storedValue(of: value, forKey: key), forKey: key)
    }
  }

  /// The same as ``set(_:forKey:)-(Any?,_)``.
  public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }

  /// Sets a value of any type that preferences can hold; nil removes it.
  ///
  /// - Throws: ``PreferencesError/unsupportedType(_:at:)``,
  ///   ``PreferencesError/unsupportedKeys(_:at:)``, ``PreferencesError/nullValue(at:)`` or
  ///   ``PreferencesError/dateIsNaN(at:)``, each with a path that begins with the key,
  ///   ``PreferencesError/nestedTooDeeply(limit:at:)``, ``PreferencesError/readOnly(_:)`` or
  ///   ``PreferencesError/refusedChange(domain:key:reason:)``; nothing has changed then.
  public func setAny(_ value: Any?, forKey key: String) throws(PreferencesError) {
    try putThrowing(Self.storedValue(of: value, forKey: key), forKey: key)
  }

  private static func storedValue(
    of value: Any?, forKey key: String
  ) throws(PreferencesError) -> PlistValue? {
    guard let value else { return nil }
    do throws(PreferencesError) { return try PlistValue(storing: value) } catch {
      throw error.within(key)
    }
  }

  /// Sets an integer.
  public func set(_ value: Int, forKey key: String) { put(.integer(Int64(value)), forKey: key) }

  /// Sets a number that keeps its width in memory and in a binary file.
  public func set(_ value: Float, forKey key: String) { put(.float(value), forKey: key) }

  /// Sets a number.
  public func set(_ value: Double, forKey key: String) { put(.real(value), forKey: key) }

  /// Sets a Boolean.
  public func set(_ value: Bool, forKey key: String) { put(.boolean(value), forKey: key) }

  /// Sets a URL that ``ReadablePreferences/url(forKey:)`` returns unchanged; nil removes it.
  public func set(_ url: URL?, forKey key: String) { put(url.map(URLCoding.value), forKey: key) }

  /// Adds values to the registration domain, which is searched last and never saved. A later
  /// registration replaces an earlier one of the same key.
  ///
  /// A value of a type that preferences cannot hold is a programming error, which stops the program
  /// with a message that names the key, the place and the type; ``registerAny(defaults:)`` throws
  /// instead.
  public func register(defaults: [String: Any]) { registration.merge(Self.contents(defaults)) }

  /// Adds values of types that preferences can hold to the registration domain.
  ///
  /// - Throws: The errors of ``setAny(_:forKey:)``; nothing has changed then.
  public func registerAny(defaults: [String: Any]) throws(PreferencesError) {
    registration.merge(try PlistDictionary(storing: defaults))
  }

  /// The effective values: for each key, the result of ``object(forKey:)``.
  public func dictionaryRepresentation() -> [String: Any] { plistRepresentation.anyValues }
}
