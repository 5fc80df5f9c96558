public import Foundation

extension Defaults {
  /// A change of the value of a key.
  public struct KeyChange<Value: Serializable> {
    /// The kind of the change.
    public let kind: ChangeKind
    /// The positions of changed elements. Nil, since changes of keys are always of whole values.
    public var indexes: IndexSet? { nil }
    /// Whether this is the first of two calls for the change.
    public let isPrior: Bool
    /// The value before the change; in an initial call the present value.
    public let oldValue: Value
    /// The value after the change.
    public let newValue: Value
  }

  /// The kinds of changes of key-value observing.
  public enum ChangeKind: Sendable {
    /// A value was set, removed or registered. Changes of keys are always of this kind.
    case setting
    /// An element was inserted into a collection.
    case insertion
    /// An element was removed from a collection.
    case removal
    /// An element of a collection was replaced.
    case replacement
  }
}

extension Defaults.KeyChange: Sendable where Value: Sendable {}

extension Defaults.KeyChange: Equatable where Value: Equatable {}
