internal import Threading

/// A token of an activity, such as a subscription, which ends when the token is canceled or
/// deallocated.
///
/// It has the API of Combine's type of this name, for platforms without Combine.
public final class AnyCancellable: Sendable {
  private let action: Lock<(@Sendable () -> Void)?>

  /// Creates a token that calls a closure once, when it is canceled or deallocated.
  @preconcurrency
  public init(_ cancel: @escaping @Sendable () -> Void) { action = Lock(cancel) }

  deinit { cancel() }

  /// Ends the activity. Further calls do nothing.
  public func cancel() {
    let action = action.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }

  /// Appends the token to a collection, which keeps it alive.
  public func store(in collection: inout some RangeReplaceableCollection<AnyCancellable>) {
    collection.append(self)
  }

  /// Inserts the token into a set, which keeps it alive.
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
}

extension AnyCancellable: Hashable {
  /// Returns whether two tokens are the same object.
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
