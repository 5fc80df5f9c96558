internal import Preferences

extension Defaults.AnySerializable: ExpressibleByStringLiteral {
  /// Creates a string.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension Defaults.AnySerializable: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int) {
    self.init(value)
  }
}

extension Defaults.AnySerializable: ExpressibleByFloatLiteral {
  /// Creates a real.
  public init(floatLiteral value: Double) {
    self.init(value)
  }
}

extension Defaults.AnySerializable: ExpressibleByBooleanLiteral {
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) {
    self.init(value)
  }
}

extension Defaults.AnySerializable: ExpressibleByArrayLiteral {
  /// Creates an array of any values that can be stored.
  public init(arrayLiteral elements: Any...) {
    self.init(untyped: elements.map { Defaults.AnySerializable(untyped: $0) })
  }
}

extension Defaults.AnySerializable: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary of any values that can be stored, under the descriptions of the keys. The
  /// last of equal keys wins.
  public init(dictionaryLiteral elements: (any LosslessStringConvertible & Hashable, Any)...) {
    let entries = elements.map { ($0.description, Defaults.AnySerializable(untyped: $1)) }
    self.init(untyped: Dictionary(entries, uniquingKeysWith: { $1 }))
  }
}
