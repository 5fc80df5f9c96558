/// What keeps a value of a type.
public protocol DefaultStoreType<Default> {
  /// The type.
  associatedtype Default: DefaultConvertible

  /// Keeps a value in place of the one before.
  func set(_ value: Default)

  /// The value that is kept; nil where there is none.
  func get() -> Default?

  /// Keeps nothing any more.
  func remove()

  /// Saves what is not saved yet, and tells whether that worked.
  @discardableResult
  func synchronize() -> Bool
}
