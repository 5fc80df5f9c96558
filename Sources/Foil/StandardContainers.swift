internal import TypedPreferences

extension Array: UserDefaultsSerializable where Element: UserDefaultsSerializable {
  /// What is stored for the elements.
  public var storedValue: [Element.StoredValue] { map(\.storedValue) }

  /// The elements for what was stored; nil where there is none for one of them.
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
  /// What is stored for the elements, in any order.
  public var storedValue: [Element.StoredValue] { map(\.storedValue) }

  /// The elements for what was stored; nil where there is none for one of them.
  public init?(storedValue: [Element.StoredValue]) {
    guard let elements = [Element](storedValue: storedValue) else { return nil }
    self.init(elements)
  }
}

extension Dictionary: UserDefaultsSerializable
where Key == String, Value: UserDefaultsSerializable {
  /// What is stored for the values.
  public var storedValue: [String: Value.StoredValue] { mapValues(\.storedValue) }

  /// The values for what was stored; nil where there is none for one of them.
  public init?(storedValue: [String: Value.StoredValue]) {
    self.init(minimumCapacity: storedValue.count)
    for (key, stored) in storedValue {
      guard let value = Value(storedValue: stored) else { return nil }
      self[key] = value
    }
  }
}

/// A container, which is stored the way its elements are.
protocol SerializableContainer: UserDefaultsSerializable {
  /// How it is stored.
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
