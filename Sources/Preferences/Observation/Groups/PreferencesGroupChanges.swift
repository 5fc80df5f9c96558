/// Changes of a group of keys, one after another.
///
/// It ends when the task that iterates it is canceled. It buffers changes from its creation until
/// it and its iterators are released, and can be iterated once.
public struct PreferencesGroupChanges: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = PreferencesGroupChange
  /// Nothing fails.
  public typealias Failure = Never

  /// Iterates over the changes.
  public typealias AsyncIterator = AsyncStream<PreferencesGroupChange>.Iterator

  let stream: AsyncStream<PreferencesGroupChange>

  /// Begins to go through the changes.
  public func makeAsyncIterator() -> AsyncIterator { stream.makeAsyncIterator() }
}
