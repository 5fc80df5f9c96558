internal import Preferences

extension Defaults.AnySerializable: ExpressibleByStringLiteral {
  /// A string.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension Defaults.AnySerializable: ExpressibleByIntegerLiteral {
  /// An integer.
  public init(integerLiteral value: Int) {
    self.init(value)
  }
}

extension Defaults.AnySerializable: ExpressibleByFloatLiteral {
  /// A real.
  public init(floatLiteral value: Double) {
    self.init(value)
  }
}

extension Defaults.AnySerializable: ExpressibleByBooleanLiteral {
  /// A Boolean.
  public init(booleanLiteral value: Bool) {
    self.init(value)
  }
}

extension Defaults.AnySerializable: ExpressibleByArrayLiteral {
  /// An array of whatever can be stored.
  public init(arrayLiteral elements: Any...) {
    self.init(untyped: elements.map { Defaults.AnySerializable(untyped: $0) })
  }
}

extension Defaults.AnySerializable: ExpressibleByDictionaryLiteral {
  /// A dictionary of whatever can be stored, with the texts of the keys. Of equal keys the last counts.
  public init(dictionaryLiteral elements: (any LosslessStringConvertible & Hashable, Any)...) {
    let entries = elements.map { ($0.description, Defaults.AnySerializable(untyped: $1)) }
    self.init(untyped: Dictionary(entries, uniquingKeysWith: { $1 }))
  }
}
