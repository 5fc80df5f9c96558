/// Any store of values of a type, so that one can be put in another's place.
public struct AnyStore<T: DefaultConvertible>: DefaultStoreType {
  private let inner: any DefaultStoreType<T>

  /// A store that does what another one does.
  public init(_ inner: some DefaultStoreType<T>) {
    self.inner = inner
  }

  /// Keeps a value in place of the one before.
  public func set(_ value: T) {
    inner.set(value)
  }

  /// The value that is kept; nil where there is none.
  public func get() -> T? {
    inner.get()
  }

  /// Keeps nothing any more.
  public func remove() {
    inner.remove()
  }

  /// Saves what is not saved yet, and tells whether that worked.
  @discardableResult
  public func synchronize() -> Bool {
    inner.synchronize()
  }
}
