/// A publisher that sends one value and finishes.
public struct Just<Output>: Publisher {
  /// It does not fail.
  public typealias Failure = Never

  // Subscribers may be called on any thread.
  nonisolated(unsafe) private let value: Output

  /// Creates a publisher of a value.
  public init(_ value: Output) { self.value = value }

  /// The value.
  public var output: Output { value }

  /// Starts a subscription.
  public func receive(subscriber: Subscriber<Output, Never>) -> AnyCancellable {
    subscriber.receive(value)
    subscriber.receive(completion: .finished)
    return AnyCancellable {}
  }
}

/// A publisher that sends no values.
public struct Empty<Output, Failure: Error>: Publisher {
  /// Whether it finishes at once rather than never.
  public let completeImmediately: Bool

  /// Creates a publisher.
  public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

  /// Creates a publisher of values of a type.
  public init(
    completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type
  ) {
    self.init(completeImmediately: completeImmediately)
  }

  /// Starts a subscription.
  public func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable {
    if completeImmediately { subscriber.receive(completion: .finished) }
    return AnyCancellable {}
  }
}

/// A publisher that fails at once.
public struct Fail<Output, Failure: Error>: Publisher {
  /// The error.
  public let error: Failure

  /// Creates a publisher that fails with an error.
  public init(error: Failure) { self.error = error }

  /// Creates a publisher of values of a type that fails with an error.
  public init(outputType: Output.Type, failure: Failure) { self.init(error: failure) }

  /// Starts a subscription.
  public func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable {
    subscriber.receive(completion: .failure(error))
    return AnyCancellable {}
  }
}

/// A publisher of one value, which a closure computes once, when the publisher is created.
public final class Future<Output, Failure: Error>: Publisher {
  /// A closure that receives the result; further results are dropped.
  public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

  private let broadcast = Broadcast<Output, Failure>()

  /// Creates a publisher of the result that a closure passes on, now or later.
  public init(_ attemptToFulfill: (@escaping Promise) -> Void) {
    attemptToFulfill { [broadcast] result in
      switch result {
      case .success(let value):
        broadcast.send(value, isCurrent: true)
        broadcast.send(completion: .finished)
      case .failure(let error): broadcast.send(completion: .failure(error))
      }
    }
  }

  /// Starts a subscription.
  public func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable {
    broadcast.add(subscriber, replays: true)
  }
}
