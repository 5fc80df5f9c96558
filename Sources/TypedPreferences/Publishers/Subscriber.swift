internal import Threading

/// Whoever subscribes to a publisher, until either side has enough.
///
/// A publisher sends one value after another, never two at a time.
package final class Subscriber<Input, Failure: Error>: Sendable {
  private struct Subscription {
    let receiveValue: @Sendable (Input) -> Void
    let receiveCompletion: @Sendable (Subscribers.Completion<Failure>) -> Void
    /// What sends the values; nil as long as it has not returned from beginning to.
    var upstream: AnyCancellable?
  }

  /// Nil when it has ended, so that nothing is kept alive by it.
  private let subscription: Lock<Subscription?>

  init(
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Input) -> Void
  ) {
    subscription = Lock(
      Subscription(receiveValue: receiveValue, receiveCompletion: receiveCompletion))
  }

  /// Takes a value.
  package func receiveValue(_ value: Input) {
    subscription.withLock { $0?.receiveValue }?(value)
  }

  /// Takes the news that no value will follow, and stops what sends them.
  package func receiveCompletion(_ completion: Subscribers.Completion<Failure>) {
    let ended = end()
    ended?.upstream?.cancel()
    ended?.receiveCompletion(completion)
  }

  /// Stops what sends the values.
  func cancel() {
    end()?.upstream?.cancel()
  }

  /// Learns how to stop what sends the values, which may have come to its end already.
  func begin(_ upstream: AnyCancellable) {
    let hasEnded = subscription.withLock { subscription in
      subscription?.upstream = upstream
      return subscription == nil
    }
    if hasEnded { upstream.cancel() }
  }

  /// What is left to do, for the first one who ends it.
  private func end() -> Subscription? {
    subscription.withLock { subscription in
      defer { subscription = nil }
      return subscription
    }
  }
}
