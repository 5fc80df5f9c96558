internal import Threading

/// A sequence of values over time, delivered to each subscriber.
///
/// Nothing happens until the first subscription, and each subscription starts from the beginning
/// unless a type says otherwise. A subscription ends when it is canceled or completed, and then
/// keeps nothing alive. Values are not held back for slow subscribers.
public protocol Publisher<Output, Failure>: Sendable {
  /// The type of the values.
  associatedtype Output
  /// The type of the error that may end the sequence of values; `Never` if there is none.
  associatedtype Failure: Error

  /// Starts a subscription.
  ///
  /// Call ``sink(receiveCompletion:receiveValue:)`` to subscribe; it calls this method.
  ///
  /// - Parameter subscriber: The receiver of the values and the completion, which may arrive before
  ///   the method returns.
  /// - Returns: A token that ends the subscription when it is canceled or deallocated. It is
  ///   also canceled after a completion.
  func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable
}

extension Publisher {
  /// Returns the publisher without its type.
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }

  /// Subscribes with closures that are called in a context.
  ///
  /// - Parameter willStart: Receives the token before the subscription starts, which may deliver
  ///   values at once.
  func subscribe(
    in context: CallContext = .isolation(.none),
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Output) -> Void,
    willStart: (AnyCancellable) -> Void = { _ in }
  ) -> AnyCancellable {
    let subscriber = Subscriber<Output, Failure>(
      in: context, receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    let token = AnyCancellable { subscriber.cancel() }
    willStart(token)
    subscriber.start(receive(subscriber: subscriber))
    return token
  }

  /// Returns a publisher that handles each value of this one and passes completions on.
  ///
  /// - Parameter makeReceiver: Returns the closure that receives the values of a new subscription.
  func relay<NewOutput>(
    in context: CallContext = .isolation(.none),
    _ makeReceiver:
      @escaping @Sendable (Subscriber<NewOutput, Failure>) -> @Sendable (Output) -> Void
  ) -> AnyPublisher<NewOutput, Failure> {
    AnyPublisher { subscriber in
      subscribe(
        in: context, receiveCompletion: { subscriber.receive(completion: $0) },
        receiveValue: makeReceiver(subscriber), willStart: subscriber.start)
    }
  }
}

/// A namespace for publishers that combine others.
public enum Publishers {}

/// A publisher whose type is erased.
///
/// It has the API of Combine's type of this name, for platforms without Combine.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  private let start: @Sendable (Subscriber<Output, Failure>) -> AnyCancellable

  /// Creates a publisher whose subscriptions a closure starts.
  package init(_ start: @escaping @Sendable (Subscriber<Output, Failure>) -> AnyCancellable) {
    self.start = start
  }

  /// Creates a publisher that wraps another publisher.
  public init(_ publisher: some Publisher<Output, Failure>) {
    start = { publisher.receive(subscriber: $0) }
  }

  /// Starts a subscription.
  public func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable {
    start(subscriber)
  }

  /// Returns this publisher, whose type is already erased.
  public func eraseToAnyPublisher() -> AnyPublisher { self }
}
