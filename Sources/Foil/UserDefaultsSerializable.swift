/// A type whose values can be stored: as values of another type, which can be.
///
/// Types that are Codable or have raw values need nothing but the conformance. Others say what is stored
/// and how a value is made of that; an initializer that cannot fail will do, too.
///
/// ```swift
/// struct Percentage: UserDefaultsSerializable {
///   let value: Int
///   var storedValue: Int { value }
///
///   init?(storedValue: Int) {
///     guard (0...100).contains(storedValue) else { return nil }
///     value = storedValue
///   }
/// }
/// ```
public protocol UserDefaultsSerializable: SendableMetatype {
  /// What is stored for a value: something of a type that property lists have, or a container of such.
  associatedtype StoredValue

  /// What is stored for the value.
  var storedValue: StoredValue { get }

  /// The value for what was stored; nil where there is none.
  init?(storedValue: StoredValue)
}
