/// Changes of a group of keys, one after another.
///
/// It ends when the task that iterates it is canceled. It buffers changes from its creation until
/// it and its iterators are released, and can be iterated once.
public struct PreferencesGroupChanges: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = PreferencesGroupChange
  /// Nothing fails.
  public typealias Failure = Never

  private let stream: AsyncStream<PreferencesGroupChange>

  init(
    _ list: SearchList, keys: [String], initial: Bool, _ buffering: PreferencesChanges.Buffering
  ) {
    stream = AsyncStream(bufferingPolicy: .init(buffering)) { continuation in
      let observer = GroupObserver { change in continuation.yield(change) }
      let observation = list.register(observer, group: keys, initial: initial)
      continuation.onTermination = { _ in observation.cancel() }
    }
  }

  /// Iterates over the changes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var iterator: AsyncStream<PreferencesGroupChange>.Iterator

    /// The next change; nil when the task has been canceled.
    public mutating func next() async -> PreferencesGroupChange? {
      await iterator.next()
    }

    /// The next change; nil when the task has been canceled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> PreferencesGroupChange? {
      await iterator.next(isolation: actor)
    }
  }

  /// Begins to go through the changes.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(iterator: stream.makeAsyncIterator())
  }
}
