/// A publisher whose type is erased.
///
/// It has the shape of Combine's type of this name, for platforms without Combine.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  private let start: @Sendable (Subscriber<Output, Failure>) -> AnyCancellable

  /// Creates a publisher.
  ///
  /// - Parameter start: Starts a subscription, as ``Publisher/receive(subscriber:)`` does.
  package init(_ start: @escaping @Sendable (Subscriber<Output, Failure>) -> AnyCancellable) {
    self.start = start
  }

  /// Creates a publisher that wraps another one.
  public init(_ publisher: some Publisher<Output, Failure>) {
    start = { publisher.receive(subscriber: $0) }
  }

  /// Starts a subscription.
  public func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable {
    start(subscriber)
  }

  /// Returns this publisher: its type is erased already.
  public func eraseToAnyPublisher() -> AnyPublisher { self }
}
