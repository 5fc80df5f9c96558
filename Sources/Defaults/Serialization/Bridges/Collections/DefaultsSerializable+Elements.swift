internal import Preferences
internal import PropertyList
internal import TypedPreferences

/// The elements of collections whose bridges return them as arrays of any type.
extension DefaultsSerializable {
  /// Returns the elements if property lists have their type, and what their bridge returns
  /// otherwise, without elements that cannot be stored.
  static func serializeAll(_ elements: [Self]) -> [Any] {
    if isNativelySupportedType { return elements }
    return elements.compactMap { bridge.serialize($0 as? Value) }
  }

  /// Returns the elements of an array, whether it holds elements, what their bridge returns, or what
  /// a store does for them; nil if it holds anything else.
  static func deserializeAll(_ object: Any?) -> [Self]? {
    if isNativelySupportedType, let elements = object as? [Self] { return elements }
    if !isNativelySupportedType, let stored = object as? [Serializable] {
      return stored.compactMap { bridge.deserialize($0) as? Self }
    }
    guard let object, let plist = try? PlistValue(storing: object) else { return nil }
    return try? PlistCoder<[Self]>.array(of: .serializable()).decode(plist)
  }

  /// Returns the elements of a set in the order in which it is stored, which depends only on them;
  /// nil if it cannot be stored.
  static func storedOrder<Elements>(
    of set: Elements, _ coder: PlistCoder<Elements>
  ) -> [Self]? {
    guard let stored = (try? coder.encode(set)) ?? nil else { return nil }
    return try? PlistCoder<[Self]>.array(of: .serializable()).decode(stored)
  }
}
