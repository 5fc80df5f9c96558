extension PlistValue: ExpressibleByStringLiteral {
  /// A string.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension PlistValue: ExpressibleByIntegerLiteral {
  /// An integer.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }
}

extension PlistValue: ExpressibleByFloatLiteral {
  /// A real.
  public init(floatLiteral value: Double) {
    self = .real(value)
  }
}

extension PlistValue: ExpressibleByBooleanLiteral {
  /// A boolean.
  public init(booleanLiteral value: Bool) {
    self = .boolean(value)
  }
}

extension PlistValue: ExpressibleByArrayLiteral {
  /// An array.
  public init(arrayLiteral elements: PlistValue...) {
    self = .array(elements)
  }
}

extension PlistValue: ExpressibleByDictionaryLiteral {
  /// A dictionary in the literal's order; a repeated key keeps its last value.
  public init(dictionaryLiteral elements: (String, PlistValue)...) {
    self = .dictionary(PlistDictionary(elements))
  }
}
