internal import Threading

/// A value that is kept in memory alone, as tests want it.
///
/// Many threads may use it at once, where they may share values of the type.
public final class InMemoryStore<T: DefaultConvertible>: DefaultStoreType {
  private let value = Lock<T?>(nil)

  /// Keeps nothing yet.
  public init() {}

  /// Keeps a value in place of the one before.
  public func set(_ value: T) {
    exchange(value)
  }

  /// The value that is kept; nil where there is none.
  public func get() -> T? {
    value.withLock { $0 }
  }

  /// Keeps nothing any more.
  public func remove() {
    exchange(nil)
  }

  /// Does nothing, and tells that it worked.
  @discardableResult
  public func synchronize() -> Bool { true }

  private func exchange(_ new: consuming T?) {
    // The old value is let go of when the lock is not held any more.
    value.withLock { swap(&$0, &new) }
  }
}

extension InMemoryStore: Sendable where T: Sendable {}
