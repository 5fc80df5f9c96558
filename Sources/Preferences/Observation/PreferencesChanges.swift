/// Changes of preferences, one after another.
///
/// It ends when the task that iterates it is canceled. It buffers changes from its creation until
/// it and its iterators are released, and can be iterated once.
public struct PreferencesChanges: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = PreferencesChange
  /// Nothing fails.
  public typealias Failure = Never

  /// The policy for changes for which no task is waiting.
  public enum Buffering: Sendable, Hashable {
    /// All are kept.
    case unbounded
    /// The latest ones, up to this number, are kept; earlier ones are dropped.
    case newest(Int)
  }

  /// Iterates over the changes.
  public typealias AsyncIterator = AsyncStream<PreferencesChange>.Iterator

  let stream: AsyncStream<PreferencesChange>

  /// Begins to go through the changes.
  public func makeAsyncIterator() -> AsyncIterator { stream.makeAsyncIterator() }
}

extension AsyncStream where Element: Sendable {
  /// The changes that an observer receives.
  ///
  /// - Parameter register: Registers the observer.
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
  /// Converts the buffering of changes to that of a stream of any elements.
  package init(_ buffering: PreferencesChanges.Buffering) {
    switch buffering {
    case .unbounded: self = .unbounded
    case .newest(let count): self = .bufferingNewest(count)
    }
  }
}
