/// What an observer sees of a change of a typed preference.
package struct TypedChange<Value> {
  /// The value before.
  package var oldValue: Value
  /// The value after.
  package var newValue: Value
}

extension TypedChange: Sendable where Value: Sendable {}
