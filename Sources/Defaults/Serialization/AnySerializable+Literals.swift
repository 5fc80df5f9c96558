internal import Preferences
internal import TypedPreferences

extension Defaults.AnySerializable: ExpressibleByStringLiteral {
  /// Creates a string.
  public init(stringLiteral value: String) { self.init(value) }
}

extension Defaults.AnySerializable: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int) { self.init(value) }
}

extension Defaults.AnySerializable: ExpressibleByFloatLiteral {
  /// Creates a real.
  public init(floatLiteral value: Double) { self.init(value) }
}

extension Defaults.AnySerializable: ExpressibleByBooleanLiteral {
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) { self.init(value) }
}

extension Defaults.AnySerializable: ExpressibleByArrayLiteral {
  /// Creates an array of any values that can be stored.
  public init(arrayLiteral elements: Any...) {
    self.init(untyped: elements.map { Defaults.AnySerializable(untyped: $0) })
  }
}

extension Defaults.AnySerializable: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary of any values that can be stored, under the descriptions of the keys,
  /// which have to be strings or other types with `LosslessStringConvertible`. The last of equal
  /// keys wins.
  public init(dictionaryLiteral elements: (AnyHashable, Any)...) {
    var entries: [String: Defaults.AnySerializable] = [:]
    for (key, value) in elements {
      guard let key = key.base as? any LosslessStringConvertible else {
        self.init(unstorable: .unstorable(type(of: key.base)))
        return
      }
      entries[key.description] = Defaults.AnySerializable(untyped: value)
    }
    self.init(untyped: entries)
  }
}
