extension Defaults {
  /// What an observer of a key sees of a change.
  public struct KeyChange<Value: Serializable> {
    /// What has been done.
    public let kind: ChangeKind
    /// Whether it is the first of two calls for the change, of which the second is the usual one.
    public let isPrior: Bool
    /// The value before; in an initial call the present one.
    public let oldValue: Value
    /// The value after.
    public let newValue: Value
  }

  /// What can be done to what is observed, as key-value observing sees it.
  public enum ChangeKind: Sendable {
    /// A value was set, removed or registered, which is all that can be done to a key.
    case setting
    /// Something was inserted into a collection.
    case insertion
    /// Something was removed from a collection.
    case removal
    /// Something in a collection was replaced.
    case replacement
  }
}

extension Defaults.KeyChange: Sendable where Value: Sendable {}

extension Defaults.KeyChange: Equatable where Value: Equatable {}
