/// What stores values of a type in the form of another one: ``Defaults/Bridge``.
public protocol DefaultsBridge: Sendable {
  /// The type of the values.
  associatedtype Value
  /// The type in whose form they are stored: one of property lists, or one that has a bridge itself.
  associatedtype Serializable

  /// What is stored for a value; nil where it cannot be stored.
  func serialize(_ value: Value?) -> Serializable?
  /// The value that is stored; nil where it is none.
  func deserialize(_ object: Serializable?) -> Value?
}
