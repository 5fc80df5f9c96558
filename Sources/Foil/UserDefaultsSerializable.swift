/// Adapts a type to its stored form, a value of another type.
///
/// Types that are Codable or have raw values only declare the conformance. Others implement it; the
/// initializer may be one that cannot fail.
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
  /// The type of the stored form: one that property lists have, or a container of such types.
  associatedtype StoredValue

  /// The stored form of the value.
  var storedValue: StoredValue { get }

  /// Creates a value from its stored form; nil if there is none.
  init?(storedValue: StoredValue)
}

/// A standard type that is stored as it is, without another form.
///
/// A type only declares the conformance. These are not default implementations of
/// ``UserDefaultsSerializable``, where they would take precedence over those for Codable types.
public protocol SelfSerializable: UserDefaultsSerializable where StoredValue == Self {}

extension SelfSerializable {
  /// The value itself.
  public var storedValue: Self { self }
  /// Creates the value itself.
  public init(storedValue: Self) { self = storedValue }
}
