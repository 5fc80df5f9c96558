/// A publisher that values are sent to.
///
/// Any thread may send. All subscribers receive the same values in the same order; a value that is
/// sent while another one is delivered follows it.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to all subscribers.
  func send(_ value: Output)

  /// Sends a completion to all subscribers. What is sent later is dropped, and later subscriptions
  /// complete at once.
  func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
  /// Sends an element without a value to all subscribers.
  public func send() {
    send(())
  }
}

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

/// A subject that has a value, which its subscribers receive first.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  private let broadcast: Broadcast<Output, Failure>

  /// Creates a subject that has a value.
  public init(_ value: Output) {
    broadcast = Broadcast(value)
  }

  /// The latest value that was sent; the first one if none was. Setting it sends it.
  public var value: Output {
    get {
      guard let value = broadcast.value else { preconditionFailure("the subject has no value") }
      return value
    }
    set { send(newValue) }
  }

  /// Sends a value to all subscribers.
  public func send(_ value: Output) {
    broadcast.send(value, isCurrent: true)
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
