internal import Threading

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
  public func send() { send(()) }
}

/// A subject whose subscribers receive what is sent from their subscription on.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  private let broadcast = Broadcast<Output, Failure>()

  /// Creates a subject.
  public init() {}

  /// Sends a value to all subscribers.
  public func send(_ value: Output) { broadcast.send(value, isCurrent: false) }

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
  public init(_ value: Output) { broadcast = Broadcast(value) }

  /// The latest value that was sent; the first one if none was. Setting it sends it.
  public var value: Output {
    get {
      guard let value = broadcast.value else { preconditionFailure("the subject has no value") }
      return value
    }
    set { send(newValue) }
  }

  /// Sends a value to all subscribers.
  public func send(_ value: Output) { broadcast.send(value, isCurrent: true) }

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

/// The subscribers of a subject, all of which receive the same values in the same order.
final class Broadcast<Output, Failure: Error>: Sendable {
  private struct State {
    var subscribers: [Int: Subscriber<Output, Failure>] = [:]
    /// The number of subscribers that there have been.
    var count = 0
    /// The first value of a subscription.
    var value: Output?
    var completion: Subscribers.Completion<Failure>?

    /// The subscribers in the order they were added.
    var ordered: [Subscriber<Output, Failure>] {
      subscribers.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  private let state: Lock<State>

  /// - Parameter value: The first value of a subscription; nil for none.
  init(_ value: Output? = nil) { state = Lock(State(value: value)) }

  /// The first value of a subscription.
  var value: Output? { state.withLock { $0.value } }

  /// Sends a value, with which subscriptions begin from now on if it is current.
  func send(_ value: Output, isCurrent: Bool) {
    let (subscribers, previous) = state.withLock {
      state -> ([Subscriber<Output, Failure>], Output?) in
      guard state.completion == nil else { return ([], nil) }
      let previous = isCurrent ? exchange(&state.value, with: value) : nil
      let subscribers = state.ordered
      for subscriber in subscribers { subscriber.enqueue(value) }
      return (subscribers, previous)
    }
    // Outside the lock, as is the release of the previous value.
    withExtendedLifetime(previous) {
      for subscriber in subscribers { subscriber.deliver() }
    }
  }

  /// Sends a completion, after which nothing is sent.
  func send(completion: Subscribers.Completion<Failure>) {
    let subscribers = state.withLock { state in
      guard state.completion == nil else { return [] as [Subscriber<Output, Failure>] }
      state.completion = completion
      let subscribers = state.ordered
      state.subscribers = [:]
      for subscriber in subscribers { subscriber.enqueue(completion: completion) }
      return subscribers
    }
    for subscriber in subscribers { subscriber.deliver() }
  }

  /// Adds a subscriber, which may receive the value even after a completion.
  func add(_ subscriber: Subscriber<Output, Failure>, replays: Bool = false) -> AnyCancellable {
    let (number, hasEvents) = state.withLock { state in
      let value = state.completion == nil || replays ? state.value : nil
      if let value { subscriber.enqueue(value) }
      state.count += 1
      if let completion = state.completion {
        subscriber.enqueue(completion: completion)
      } else {
        state.subscribers[state.count] = subscriber
      }
      return (state.count, value != nil || state.completion != nil)
    }
    if hasEvents { subscriber.deliver() }
    return AnyCancellable {
      let removed = self.state.withLock { $0.subscribers.removeValue(forKey: number) }
      withExtendedLifetime(removed) {}
    }
  }
}
