/// The values of a publisher, one after another.
///
/// An iteration ends when the publisher is complete or the task is canceled.
public struct PublishedValues<Output: Sendable>: AsyncSequence, Sendable {
  /// A value.
  public typealias Element = Output
  /// Nothing fails.
  public typealias Failure = Never

  private let publisher: AnyPublisher<Output, Never>

  init(_ publisher: AnyPublisher<Output, Never>) {
    self.publisher = publisher
  }

  /// Goes through the values, and is subscribed as long as it is kept.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var iterator: AsyncStream<Output>.Iterator

    /// The next value; nil when there are no more of them or the task has been canceled.
    public mutating func next() async -> Output? {
      await iterator.next()
    }

    /// The next value; nil when there are no more of them or the task has been canceled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Output? {
      await iterator.next(isolation: actor)
    }
  }

  /// Subscribes.
  public func makeAsyncIterator() -> AsyncIterator {
    let stream = AsyncStream(Output.self) { continuation in
      let subscription = publisher.sink { _ in
        continuation.finish()
      } receiveValue: { value in
        continuation.yield(value)
      }
      continuation.onTermination = { _ in subscription.cancel() }
    }
    return AsyncIterator(iterator: stream.makeAsyncIterator())
  }
}
