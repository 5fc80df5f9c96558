/// A sequence of values over time, delivered to each subscriber.
///
/// It has the shape of Combine's type of this name, for platforms without Combine. Nothing happens
/// until the first subscription, and each subscription starts anew. A subscription ends when it is
/// canceled or completed, and then keeps nothing alive.
public struct AnyPublisher<Output, Failure: Error>: Sendable {
  /// Starts a subscription.
  private let subscribe: @Sendable (Subscriber<Output, Failure>) -> AnyCancellable

  /// Creates a publisher.
  ///
  /// - Parameter subscribe: Starts a subscription that sends values to the subscriber, one at a
  ///   time, until the returned token is canceled.
  package init(
    _ subscribe: @escaping @Sendable (Subscriber<Output, Failure>) -> AnyCancellable
  ) {
    self.subscribe = subscribe
  }

  /// Subscribes: calls one closure with each value, and another one when no more values follow,
  /// until the returned token is canceled or deallocated.
  @preconcurrency
  public func sink(
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Output) -> Void
  ) -> AnyCancellable {
    let subscriber = Subscriber(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscriber.start(subscribe(subscriber))
    return AnyCancellable { subscriber.cancel() }
  }

  /// Returns this publisher: its type is erased already.
  public func eraseToAnyPublisher() -> AnyPublisher { self }
}

extension AnyPublisher where Failure == Never {
  /// Subscribes: calls a closure with each value, until the returned token is canceled or
  /// deallocated.
  @preconcurrency
  public func sink(receiveValue: @escaping @Sendable (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

extension AnyPublisher where Output: Sendable, Failure == Never {
  /// The values as an asynchronous sequence. Each iteration is a subscription of its own, with an
  /// unbounded buffer.
  public var values: PublishedValues<Output> { PublishedValues(self) }
}
