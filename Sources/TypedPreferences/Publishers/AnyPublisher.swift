/// Values that come one after another to whoever subscribes: of the shape that Combine has, for where there
/// is no Combine.
///
/// Nothing happens before somebody subscribes, and each subscription has values of its own. A subscription
/// ends when it is canceled or complete; it keeps nothing alive then.
public struct AnyPublisher<Output, Failure: Error>: Sendable {
  /// Begins a subscription.
  private let subscribe: @Sendable (Subscriber<Output, Failure>) -> AnyCancellable

  /// A publisher of what a closure sends to a subscriber from its call on until what it returns is
  /// canceled.
  package init(
    _ subscribe: @escaping @Sendable (Subscriber<Output, Failure>) -> AnyCancellable
  ) {
    self.subscribe = subscribe
  }

  /// Calls a closure with each value, until what is returned is canceled or let go of, and another one
  /// when there are no more values.
  @preconcurrency
  public func sink(
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Output) -> Void
  ) -> AnyCancellable {
    let subscriber = Subscriber(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscriber.begin(subscribe(subscriber))
    return AnyCancellable { subscriber.cancel() }
  }

  /// The publisher itself: there is no other type of publishers.
  public func eraseToAnyPublisher() -> AnyPublisher { self }
}

extension AnyPublisher where Failure == Never {
  /// Calls a closure with each value, until what is returned is canceled or let go of.
  @preconcurrency
  public func sink(receiveValue: @escaping @Sendable (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

extension AnyPublisher where Output: Sendable, Failure == Never {
  /// The values as a sequence: each iteration subscribes when it begins, and what nobody waits for is kept
  /// for it.
  public var values: PublishedValues<Output> { PublishedValues(self) }
}
