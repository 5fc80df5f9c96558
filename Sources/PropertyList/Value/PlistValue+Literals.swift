extension PlistValue: ExpressibleByStringLiteral {
  /// Creates a string.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension PlistValue: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }
}

extension PlistValue: ExpressibleByFloatLiteral {
  /// Creates a real.
  public init(floatLiteral value: Double) {
    self = .real(value)
  }
}

extension PlistValue: ExpressibleByBooleanLiteral {
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) {
    self = .boolean(value)
  }
}

extension PlistValue: ExpressibleByArrayLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: PlistValue...) {
    self = .array(elements)
  }
}

extension PlistValue: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary of the entries in the literal's order; a repeated key keeps its first
  /// position and its last value.
  public init(dictionaryLiteral elements: (String, PlistValue)...) {
    self = .dictionary(PlistDictionary(elements))
  }
}
