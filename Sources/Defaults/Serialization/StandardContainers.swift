internal import TypedPreferences

extension Optional: Defaults.Serializable where Wrapped: Defaults.Serializable {
  /// Stores the wrapped value, and nothing for nil.
  public static var bridge: Defaults.PlistBridge<Wrapped?> {
    Defaults.PlistBridge(.optional(of: .serializable()))
  }
  /// Whether property lists have the type of the wrapped value.
  public static var isNativelySupportedType: Bool { Wrapped.isNativelySupportedType }
}

extension Array: Defaults.Serializable where Element: Defaults.Serializable {
  /// Stores an array of the elements.
  public static var bridge: Defaults.PlistBridge<[Element]> {
    Defaults.PlistBridge(PlistCoder.array(of: .serializable()).readingJSON())
  }
  /// Whether property lists have the type of the elements.
  public static var isNativelySupportedType: Bool { Element.isNativelySupportedType }
}

extension Set: Defaults.Serializable where Element: Defaults.Serializable {
  /// Stores an array in an order that depends only on the elements.
  public static var bridge: Defaults.PlistBridge<Set<Element>> {
    Defaults.PlistBridge(PlistCoder.set(of: .serializable()).readingJSON())
  }
}

extension Dictionary: Defaults.Serializable
where Key: LosslessStringConvertible, Value: Defaults.Serializable {
  /// Stores a dictionary under the descriptions of the keys.
  public static var bridge: Defaults.PlistBridge<[Key: Value]> {
    Defaults.PlistBridge(PlistCoder.dictionary(of: .serializable()).readingJSON())
  }
  /// Whether property lists have the type of the values, and the keys are strings.
  public static var isNativelySupportedType: Bool {
    Key.self == String.self && Value.isNativelySupportedType
  }
}

extension Range: Defaults.Serializable where Bound: Defaults.Serializable {
  /// Stores an array of the bounds.
  public static var bridge: Defaults.PlistBridge<Range<Bound>> {
    Defaults.PlistBridge(PlistCoder.range(of: .serializable()).readingJSON())
  }
}

extension ClosedRange: Defaults.Serializable where Bound: Defaults.Serializable {
  /// Stores an array of the bounds.
  public static var bridge: Defaults.PlistBridge<ClosedRange<Bound>> {
    Defaults.PlistBridge(PlistCoder.closedRange(of: .serializable()).readingJSON())
  }
}
