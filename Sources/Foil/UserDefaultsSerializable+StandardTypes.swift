public import FoundationEssentials
internal import TypedPreferences

// The standard types that can be stored are the same as in the original Foil library. The other
// types with a `StandardType` conformance in `TypedPreferences` are Codable, and are stored as JSON
// once a program declares them to be serializable. `FoilExtraTypes` stores some of them in another
// form.

extension Bool: SelfSerializable {}
extension Int: SelfSerializable {}
extension UInt: SelfSerializable {}
extension Float: SelfSerializable {}
extension Double: SelfSerializable {}
extension String: SelfSerializable {}
extension URL: SelfSerializable {}
extension Date: SelfSerializable {}
extension Data: SelfSerializable {}

/// A container whose coder is made of the coder of its elements.
protocol SerializableContainer: UserDefaultsSerializable {
  static var containerCoder: PlistCoder<Self> { get }
}

extension Array: UserDefaultsSerializable, SerializableContainer
where Element: UserDefaultsSerializable {
  /// The stored forms of the elements.
  public var storedValue: [Element.StoredValue] { map(\.storedValue) }

  /// Creates an array from the stored forms of its elements; nil if one of them has no value.
  public init?(storedValue: [Element.StoredValue]) {
    self.init()
    reserveCapacity(storedValue.count)
    for stored in storedValue {
      guard let element = Element(storedValue: stored) else { return nil }
      append(element)
    }
  }

  static var containerCoder: PlistCoder<[Element]> { .array(of: .serializable()) }
}

extension Set: UserDefaultsSerializable, SerializableContainer
where Element: UserDefaultsSerializable {
  /// The stored forms of the elements, in any order.
  public var storedValue: [Element.StoredValue] { map(\.storedValue) }

  /// Creates a set from the stored forms of its elements; nil if one of them has no value.
  public init?(storedValue: [Element.StoredValue]) {
    guard let elements = [Element](storedValue: storedValue) else { return nil }
    self.init(elements)
  }

  static var containerCoder: PlistCoder<Set> { .set(of: .serializable()) }
}

extension Dictionary: UserDefaultsSerializable, SerializableContainer
where Key == String, Value: UserDefaultsSerializable {
  /// The stored forms of the values.
  public var storedValue: [String: Value.StoredValue] { mapValues(\.storedValue) }

  /// Creates a dictionary from the stored forms of its values; nil if one of them has no value.
  public init?(storedValue: [String: Value.StoredValue]) {
    self.init(minimumCapacity: storedValue.count)
    for (key, stored) in storedValue {
      guard let value = Value(storedValue: stored) else { return nil }
      self[key] = value
    }
  }

  static var containerCoder: PlistCoder<[String: Value]> { .dictionary(of: .serializable()) }
}
