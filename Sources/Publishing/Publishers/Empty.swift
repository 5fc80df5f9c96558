/// A publisher that sends no values.
public struct Empty<Output, Failure: Error>: Publisher {
  /// Whether it finishes at once rather than never.
  public let completeImmediately: Bool

  /// Creates a publisher.
  public init(completeImmediately: Bool = true) {
    self.completeImmediately = completeImmediately
  }

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
