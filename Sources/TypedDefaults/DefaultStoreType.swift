/// A store of one value.
///
/// A type that conforms to it implements `set`, `get` and `remove`.
public protocol DefaultStoreType<Default> {
  /// The type of the value.
  associatedtype Default: DefaultConvertible

  /// Replaces the stored value.
  func set(_ value: Default)

  /// Returns the stored value; nil if there is none.
  func get() -> Default?

  /// Removes the stored value.
  func remove()

  /// Saves pending changes, and returns whether that succeeded. By default there are none.
  @discardableResult
  func synchronize() -> Bool
}

extension DefaultStoreType {
  /// Returns true: there is nothing to save.
  @discardableResult
  public func synchronize() -> Bool { true }

  /// Does the same as ``synchronize()``, which other platforms spell in this way.
  @discardableResult
  public func syncronize() -> Bool { synchronize() }
}
