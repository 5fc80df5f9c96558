/// A sequence of changes of preferences.
///
/// The sequence ends when the task that iterates it is canceled. It buffers changes from its
/// creation until it and its iterators are released, and can be iterated once.
public struct PreferencesChanges: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = PreferencesChange
  /// The sequence never fails.
  public typealias Failure = Never

  /// The policy for changes that no task is waiting for.
  public enum Buffering: Sendable, Hashable {
    /// All changes are kept.
    case unbounded
    /// The latest changes, up to this number, are kept; earlier ones are dropped.
    case newest(Int)
  }

  let stream: AsyncStream<PreferencesChange>

  /// Creates an iterator.
  public func makeAsyncIterator() -> AsyncStream<PreferencesChange>.Iterator {
    stream.makeAsyncIterator()
  }
}

extension AsyncStream where Element: Sendable {
  /// Streams the changes of an observer that the closure registers.
  init(
    _ buffering: PreferencesChanges.Buffering,
    of register: (ChangeObserver<Element>) -> PreferencesObservation
  ) {
    self.init(bufferingPolicy: .init(buffering)) { continuation in
      let observation = register(ChangeObserver { change in continuation.yield(change) })
      continuation.onTermination = { _ in observation.cancel() }
    }
  }
}

extension AsyncStream.Continuation.BufferingPolicy {
  package init(_ buffering: PreferencesChanges.Buffering) {
    switch buffering {
    case .unbounded: self = .unbounded
    case .newest(let count): self = .bufferingNewest(count)
    }
  }
}
