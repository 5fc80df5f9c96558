/// A subject whose subscribers receive what is sent from their subscription on.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  private let broadcast = Broadcast<Output, Failure>()

  /// Creates a subject.
  public init() {}

  /// Sends a value to all subscribers.
  public func send(_ value: Output) {
    broadcast.send(value, isCurrent: false)
  }

  /// Sends a completion to all subscribers. What is sent later is dropped, and later subscriptions
  /// complete at once.
  public func send(completion: Subscribers.Completion<Failure>) {
    broadcast.send(completion: completion)
  }

  /// Starts a subscription.
  public func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable {
    broadcast.add(subscriber)
  }
}
