internal import Threading

/// The receiving end of a subscription, until it is canceled or completed.
///
/// A publisher sends one value at a time.
package final class Subscriber<Input, Failure: Error>: Sendable {
  private struct Subscription {
    let receiveValue: @Sendable (Input) -> Void
    let receiveCompletion: @Sendable (Subscribers.Completion<Failure>) -> Void
    /// The token of the publisher's side; nil until ``Subscriber/start(_:)`` is called.
    var upstream: AnyCancellable?
  }

  /// The subscription; nil once it has ended, so that it keeps nothing alive.
  private let subscription: Lock<Subscription?>

  init(
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Input) -> Void
  ) {
    subscription = Lock(
      Subscription(receiveValue: receiveValue, receiveCompletion: receiveCompletion))
  }

  /// Delivers a value, unless the subscription has ended.
  package func receiveValue(_ value: Input) {
    subscription.withLock { $0?.receiveValue }?(value)
  }

  /// Ends the subscription with a completion, unless it has ended.
  package func receiveCompletion(_ completion: Subscribers.Completion<Failure>) {
    let ended = end()
    ended?.upstream?.cancel()
    ended?.receiveCompletion(completion)
  }

  /// Ends the subscription without a completion.
  func cancel() {
    end()?.upstream?.cancel()
  }

  /// Sets the token of the publisher's side, and cancels it if the subscription has ended
  /// meanwhile.
  func start(_ upstream: AnyCancellable) {
    let hasEnded = subscription.withLock { subscription in
      subscription?.upstream = upstream
      return subscription == nil
    }
    if hasEnded { upstream.cancel() }
  }

  /// Ends the subscription, and returns it to the first caller only.
  private func end() -> Subscription? {
    subscription.withLock { subscription in
      defer { subscription = nil }
      return subscription
    }
  }
}
