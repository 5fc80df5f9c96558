/// A type-erased store of a value, so that one kind of store can replace another.
public final class AnyStore<T: DefaultConvertible>: DefaultStoreType {
  private let inner: any DefaultStoreType<T>

  /// Creates a store that forwards to another one.
  public init(_ inner: some DefaultStoreType<T>) {
    self.inner = inner
  }

  /// Replaces the stored value.
  public func set(_ value: T) {
    inner.set(value)
  }

  /// Returns the stored value; nil if there is none.
  public func get() -> T? {
    inner.get()
  }

  /// Removes the stored value.
  public func remove() {
    inner.remove()
  }

  /// Saves pending changes, and returns whether that succeeded.
  @discardableResult
  public func synchronize() -> Bool {
    inner.synchronize()
  }
}
