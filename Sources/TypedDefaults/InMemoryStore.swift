internal import Threading

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

  /// Does nothing, and returns true.
  @discardableResult
  public func synchronize() -> Bool { true }

  private func exchange(_ new: consuming T?) {
    // The old value is released outside of the lock: its deinitializer may use the store.
    value.withLock { swap(&$0, &new) }
  }
}

extension InMemoryStore: Sendable where T: Sendable {}
