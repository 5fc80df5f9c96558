/// A change of the value of a typed preference.
package struct TypedChange<Value> {
  /// The value before the change.
  package var oldValue: Value
  /// The value after the change.
  package var newValue: Value
}

extension TypedChange: Sendable where Value: Sendable {}
