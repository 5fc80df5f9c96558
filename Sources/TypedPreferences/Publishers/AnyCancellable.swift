internal import Threading

/// Something that goes on until this is canceled or let go of, such as a subscription: of the shape that
/// Combine has, for where there is no Combine.
public final class AnyCancellable: Sendable {
  private let action: Lock<(@Sendable () -> Void)?>

  /// Does something when it is canceled or let go of, once.
  @preconcurrency
  public init(_ cancel: @escaping @Sendable () -> Void) {
    action = Lock(cancel)
  }

  deinit {
    cancel()
  }

  /// Ends it. Doing so again does nothing.
  public func cancel() {
    let action = action.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }

  /// Keeps it in a collection.
  public func store(in collection: inout some RangeReplaceableCollection<AnyCancellable>) {
    collection.append(self)
  }

  /// Keeps it in a set.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }
}

extension AnyCancellable: Hashable {
  /// Whether they are the same object.
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

  /// Feeds the object's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
