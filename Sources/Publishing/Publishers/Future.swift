/// A publisher of one value, which a closure computes once, when the publisher is created.
public final class Future<Output, Failure: Error>: Publisher {
  /// A closure that receives the result; further results are dropped.
  public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

  private let broadcast = Broadcast<Output, Failure>()

  /// Creates a publisher of the result that a closure passes on, now or later.
  public init(_ attemptToFulfill: (@escaping Promise) -> Void) {
    attemptToFulfill { [broadcast] result in
      switch result {
      case .success(let value):
        broadcast.send(value, isCurrent: true)
        broadcast.send(completion: .finished)
      case .failure(let error):
        broadcast.send(completion: .failure(error))
      }
    }
  }

  /// Starts a subscription.
  public func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable {
    broadcast.add(subscriber, replays: true)
  }
}
