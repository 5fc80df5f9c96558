/// The values of a publisher as an asynchronous sequence.
///
/// An iteration ends when the publisher completes or the task is canceled.
public struct PublishedValues<Output: Sendable>: AsyncSequence, Sendable {
  /// The type of the values.
  public typealias Element = Output
  /// Iterating throws no errors.
  public typealias Failure = Never

  private let publisher: AnyPublisher<Output, Never>

  init(_ publisher: AnyPublisher<Output, Never>) {
    self.publisher = publisher
  }

  /// An iterator, which is subscribed to the publisher for as long as it exists.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var iterator: AsyncStream<Output>.Iterator

    /// Returns the next value; nil if the publisher has completed or the task is canceled.
    public mutating func next() async -> Output? {
      await iterator.next()
    }

    /// Returns the next value; nil if the publisher has completed or the task is canceled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Output? {
      await iterator.next(isolation: actor)
    }
  }

  /// Subscribes to the publisher.
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
