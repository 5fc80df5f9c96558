/// A sequence of changes of a group of keys.
///
/// The sequence ends when the iterating task is canceled. It buffers changes from its creation
/// until it and its iterators are released, and can be iterated once.
public struct PreferencesGroupChanges: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = PreferencesGroupChange
  /// It does not fail.
  public typealias Failure = Never

  let stream: AsyncStream<PreferencesGroupChange>

  /// Creates an iterator.
  public func makeAsyncIterator() -> AsyncStream<PreferencesGroupChange>.Iterator {
    stream.makeAsyncIterator()
  }
}
