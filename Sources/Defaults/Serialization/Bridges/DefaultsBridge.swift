/// Adapts a type to the type that is stored: ``Defaults/Bridge``.
public protocol DefaultsBridge<Value, Serializable>: Sendable {
  /// The type of the values.
  associatedtype Value
  /// The type that is stored: one that property lists have, or one with a bridge of its own.
  associatedtype Serializable

  /// Returns what is stored for a value; nil if it cannot be stored.
  func serialize(_ value: Value?) -> Serializable?
  /// Returns the value of what is stored; nil if there is none.
  func deserialize(_ object: Serializable?) -> Value?
}
