/// A publisher that fails at once.
public struct Fail<Output, Failure: Error>: Publisher {
  /// The error.
  public let error: Failure

  /// Creates a publisher that fails with an error.
  public init(error: Failure) {
    self.error = error
  }

  /// Creates a publisher of values of a type that fails with an error.
  public init(outputType: Output.Type, failure: Failure) {
    self.init(error: failure)
  }

  /// Starts a subscription.
  public func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable {
    subscriber.receive(completion: .failure(error))
    return AnyCancellable {}
  }
}
