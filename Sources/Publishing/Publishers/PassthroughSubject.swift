internal import Threading

/// A publisher that values are sent to, and whose subscribers receive those sent after their
/// subscription.
///
/// Any thread may send. All subscribers receive the same values in the same order; a value that is
/// sent while another one is delivered follows it.
public final class PassthroughSubject<Output, Failure: Error>: Publisher {
  private struct State {
    var subscribers: [Int: Subscriber<Output, Failure>] = [:]
    /// The number of subscribers that there have been.
    var count = 0
    var completion: Subscribers.Completion<Failure>?

    var ordered: [Subscriber<Output, Failure>] {
      subscribers.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  private let state = Lock(State())

  /// Creates a subject.
  public init() {}

  /// Sends a value to all subscribers.
  public func send(_ value: Output) {
    let subscribers = state.withLock { state in
      let subscribers = state.ordered
      for subscriber in subscribers { subscriber.enqueue(value) }
      return subscribers
    }
    // Outside the lock.
    for subscriber in subscribers { subscriber.deliver() }
  }

  /// Sends a completion to all subscribers. Values sent later are dropped, and later subscriptions
  /// complete at once.
  public func send(completion: Subscribers.Completion<Failure>) {
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

  /// Starts a subscription.
  public func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable {
    let (number, completion) = state.withLock { state in
      state.count += 1
      if state.completion == nil { state.subscribers[state.count] = subscriber }
      return (state.count, state.completion)
    }
    if let completion { subscriber.receive(completion: completion) }
    return AnyCancellable {
      let removed = self.state.withLock { $0.subscribers.removeValue(forKey: number) }
      withExtendedLifetime(removed) {}
    }
  }
}
