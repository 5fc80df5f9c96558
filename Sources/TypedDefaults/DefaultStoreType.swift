internal import Threading

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

  /// Saves pending changes, and returns whether that succeeded. The default implementation has none
  /// to save.
  @discardableResult
  func synchronize() -> Bool
}

extension DefaultStoreType {
  /// Returns true: there is nothing to save.
  @discardableResult
  public func synchronize() -> Bool { true }

  /// The same as ``synchronize()``, with the spelling of the original library.
  @discardableResult
  public func syncronize() -> Bool { synchronize() }
}

/// A type-erased store of a value, so that one kind of store can replace another.
public final class AnyStore<T: DefaultConvertible>: DefaultStoreType {
  private let inner: any DefaultStoreType<T>

  /// Creates a store that forwards to another store.
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

/// A store of one value in memory, for tests.
///
/// Threads may use it concurrently if the type of the value is `Sendable`.
public final class InMemoryStore<T: DefaultConvertible>: DefaultStoreType {
  private let value = Lock<T?>(nil)

  /// Creates a store without a value.
  public init() {}

  /// Replaces the stored value.
  public func set(_ value: T) {
    exchange(value)
  }

  /// Returns the stored value; nil if there is none.
  public func get() -> T? {
    value.withLock { $0 }
  }

  /// Removes the stored value.
  public func remove() {
    exchange(nil)
  }

  private func exchange(_ new: consuming T?) {
    // The old value is released outside the lock, because its deinitializer may use the store.
    value.withLock { swap(&$0, &new) }
  }
}

extension InMemoryStore: Sendable where T: Sendable {}
