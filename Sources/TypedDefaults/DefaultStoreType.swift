/// A store of one value.
public protocol DefaultStoreType<Default> {
  /// The type of the value.
  associatedtype Default: DefaultConvertible

  /// Replaces the stored value.
  func set(_ value: Default)

  /// Returns the stored value; nil if there is none.
  func get() -> Default?

  /// Removes the stored value.
  func remove()

  /// Saves pending changes, and returns whether that succeeded.
  @discardableResult
  func synchronize() -> Bool
}
