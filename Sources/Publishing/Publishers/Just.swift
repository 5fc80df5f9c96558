/// A publisher that sends one value and finishes.
public struct Just<Output>: Publisher {
  /// It does not fail.
  public typealias Failure = Never

  // It does not change; what any thread may receive is up to the program, as with all publishers.
  nonisolated(unsafe) private let value: Output

  /// Creates a publisher of a value.
  public init(_ value: Output) { self.value = value }

  /// Starts a subscription.
  public func receive(subscriber: Subscriber<Output, Never>) -> AnyCancellable {
    subscriber.receive(value)
    subscriber.receive(completion: .finished)
    return AnyCancellable {}
  }
}
