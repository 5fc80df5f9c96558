extension Optional: Defaults.Serializable where Wrapped: Defaults.Serializable {
  /// Stores the wrapped value, and nothing for nil.
  public static var bridge: Defaults.OptionalBridge<Wrapped> { Defaults.OptionalBridge() }
  /// Whether property lists have the type of the wrapped value.
  public static var isNativelySupportedType: Bool { Wrapped.isNativelySupportedType }
}

extension Array: Defaults.Serializable where Element: Defaults.Serializable {
  /// Stores an array of the elements.
  public static var bridge: Defaults.ArrayBridge<Element> { Defaults.ArrayBridge() }
  /// Whether property lists have the type of the elements.
  public static var isNativelySupportedType: Bool { Element.isNativelySupportedType }
}

extension Set: Defaults.Serializable where Element: Defaults.Serializable {
  /// Stores an array in an order that depends only on the elements.
  public static var bridge: Defaults.SetBridge<Element> { Defaults.SetBridge() }
}

extension Dictionary: Defaults.Serializable
where Key: LosslessStringConvertible, Value: Defaults.Serializable {
  /// Stores a dictionary under the descriptions of the keys.
  public static var bridge: Defaults.DictionaryBridge<Key, Value> { Defaults.DictionaryBridge() }
  /// Whether property lists have the type of the values, and the keys are strings.
  public static var isNativelySupportedType: Bool {
    Key.self == String.self && Value.isNativelySupportedType
  }
}

extension Range: Defaults.RangeSerializable where Bound: Defaults.Serializable {
  /// Stores an array of the bounds.
  public static var bridge: Defaults.RangeBridge<Range> { Defaults.RangeBridge() }
}

extension ClosedRange: Defaults.RangeSerializable where Bound: Defaults.Serializable {
  /// Stores an array of the bounds.
  public static var bridge: Defaults.RangeBridge<ClosedRange> { Defaults.RangeBridge() }
}
