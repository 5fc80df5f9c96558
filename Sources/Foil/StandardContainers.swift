internal import TypedPreferences

extension Array: UserDefaultsSerializable where Element: UserDefaultsSerializable {
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
}

extension Set: UserDefaultsSerializable where Element: UserDefaultsSerializable {
  /// The stored forms of the elements, in any order.
  public var storedValue: [Element.StoredValue] { map(\.storedValue) }

  /// Creates a set from the stored forms of its elements; nil if one of them has no value.
  public init?(storedValue: [Element.StoredValue]) {
    guard let elements = [Element](storedValue: storedValue) else { return nil }
    self.init(elements)
  }
}

extension Dictionary: UserDefaultsSerializable
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
}

/// A container whose coder is made of the coder of its elements.
protocol SerializableContainer: UserDefaultsSerializable {
  /// The coder of the container.
  static var containerCoder: PlistCoder<Self> { get }
}

extension Array: SerializableContainer where Element: UserDefaultsSerializable {
  static var containerCoder: PlistCoder<[Element]> { .array(of: .serializable()) }
}

extension Set: SerializableContainer where Element: UserDefaultsSerializable {
  static var containerCoder: PlistCoder<Set> { .set(of: .serializable()) }
}

extension Dictionary: SerializableContainer
where Key == String, Value: UserDefaultsSerializable {
  static var containerCoder: PlistCoder<[String: Value]> { .dictionary(of: .serializable()) }
}
