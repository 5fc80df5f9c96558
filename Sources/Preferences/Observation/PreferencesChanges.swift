/// Changes of preferences, one after another.
///
/// It ends when the task that iterates it is canceled. Changes are gathered from its creation on,
/// until neither it nor an iterator of it is kept; it is for one iteration.
public struct PreferencesChanges: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = PreferencesChange
  /// Nothing fails.
  public typealias Failure = Never

  /// What becomes of changes for which nobody is waiting.
  public enum Buffering: Sendable, Hashable {
    /// All wait.
    case unbounded
    /// The latest of this number wait; those before them are dropped.
    case newest(Int)
  }

  private let stream: AsyncStream<PreferencesChange>

  init(_ store: PreferencesStore, keys: [String]?, initial: Bool, _ buffering: Buffering) {
    stream = AsyncStream(bufferingPolicy: .init(buffering)) { continuation in
      let observer = Observer { change in continuation.yield(change) }
      let observation = store.searchList.register(observer, keys: keys, initial: initial)
      continuation.onTermination = { _ in observation.cancel() }
    }
  }

  /// Goes through the changes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var iterator: AsyncStream<PreferencesChange>.Iterator

    /// The next change; nil when the task has been canceled.
    public mutating func next() async -> PreferencesChange? {
      await iterator.next()
    }

    /// The next change; nil when the task has been canceled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> PreferencesChange? {
      await iterator.next(isolation: actor)
    }
  }

  /// Begins to go through the changes.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(iterator: stream.makeAsyncIterator())
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
