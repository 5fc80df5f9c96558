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

  private let stream: AsyncStream<PreferencesChange>

  init(_ list: SearchList, keys: [String]?, initial: Bool, _ buffering: Buffering) {
    stream = AsyncStream(bufferingPolicy: .init(buffering)) { continuation in
      let observer = Observer { change in continuation.yield(change) }
      let observation = list.register(observer, keys: keys, initial: initial)
      continuation.onTermination = { _ in observation.cancel() }
    }
  }

  /// Iterates over the changes.
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
