/// Values that come one after another to whoever subscribes: of the shape that Combine has, for where there
/// is no Combine.
///
/// Nothing happens before somebody subscribes, and each subscription has values of its own.
public struct AnyPublisher<Output, Failure: Error>: Sendable {
  /// Begins a subscription.
  private let subscribe: @Sendable (Subscriber<Output, Failure>) -> AnyCancellable

  /// A publisher of what a closure sends to a subscriber from its call on until what it returns is
  /// cancelled.
  package init(
    _ subscribe: @escaping @Sendable (Subscriber<Output, Failure>) -> AnyCancellable
  ) {
    self.subscribe = subscribe
  }

  /// Calls a closure with each value, until what is returned is cancelled or let go of.
  public func sink(
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Output) -> Void
  ) -> AnyCancellable {
    subscribe(Subscriber(receiveValue: receiveValue, receiveCompletion: receiveCompletion))
  }

  /// The publisher itself: there is no other type of publishers.
  public func eraseToAnyPublisher() -> AnyPublisher { self }
}

extension AnyPublisher where Failure == Never {
  /// Calls a closure with each value, until what is returned is cancelled or let go of.
  public func sink(receiveValue: @escaping @Sendable (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

/// Whoever subscribes to a publisher.
package struct Subscriber<Input, Failure: Error>: Sendable {
  /// Takes a value.
  package let receiveValue: @Sendable (Input) -> Void
  /// Takes the news that no value will follow.
  package let receiveCompletion: @Sendable (Subscribers.Completion<Failure>) -> Void
}

/// What subscribers are told besides values.
public enum Subscribers {
  /// How a publisher ends.
  public enum Completion<Failure: Error>: Sendable {
    /// There are no more values.
    case finished
    /// There are no more values because of an error.
    case failure(Failure)
  }
}
