internal import Threading

/// The receiving end of a subscription, until it is canceled or completed.
///
/// Any thread may send values and a completion at any time: they are delivered one after another,
/// in the order they were sent, and what is sent during a delivery follows it. Nothing is
/// delivered after a completion.
public final class Subscriber<Input, Failure: Error>: Sendable {
  /// Wraps the closure, because generic code would convert a bare function to and from its own form
  /// at each access.
  private struct CompletionHandler {
    var body: @Sendable (Subscribers.Completion<Failure>) -> Void
  }

  private let values: SerialHandler<Input>
  /// Nil after the end.
  private let completionHandler: Lock<CompletionHandler?>
  private let upstream = Upstream()

  /// The publisher's side of the subscription.
  private final class Upstream: Sendable {
    private let state = Lock<(token: AnyCancellable?, hasEnded: Bool)>((nil, false))

    func set(_ token: AnyCancellable) {
      let hasEnded = state.withLock { state in
        if !state.hasEnded { state.token = token }
        return state.hasEnded
      }
      if hasEnded { token.cancel() }
    }

    func cancel() {
      let token = state.withLock { state in
        defer { state = (nil, true) }
        return state.token
      }
      token?.cancel()
    }
  }

  init(
    in context: CallContext = .isolation(.none),
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Input) -> Void
  ) {
    values = SerialHandler(in: context, receiveValue)
    completionHandler = Lock(CompletionHandler(body: receiveCompletion))
  }

  /// Delivers a value, unless the subscription has ended.
  public func receive(_ value: Input) { values.send(value) }

  /// Ends the subscription with a completion, unless it has ended.
  public func receive(completion: Subscribers.Completion<Failure>) {
    enqueue(completion: completion)
    deliver()
  }

  /// Adds a value to what has to be delivered. ``deliver()`` has to follow.
  func enqueue(_ value: Input) { values.enqueue(value) }

  /// Adds a completion to what has to be delivered. ``deliver()`` has to follow.
  func enqueue(completion: Subscribers.Completion<Failure>) {
    values.enqueueLast { self.complete(completion) }
  }

  /// Delivers what has been added.
  func deliver() { values.deliver() }

  /// Whether the subscription has not ended.
  var isActive: Bool { values.isActive }

  /// Ends the subscription without a completion.
  func cancel() {
    values.end()
    let released = endCompletion()
    upstream.cancel()
    withExtendedLifetime(released) {}
  }

  private func complete(_ completion: Subscribers.Completion<Failure>) {
    let handler = endCompletion()
    upstream.cancel()
    handler?.body(completion)
  }

  private func endCompletion() -> CompletionHandler? {
    completionHandler.withLock { exchange(&$0, with: nil) }
  }

  /// Sets the token of the publisher's side, and cancels it if the subscription has ended
  /// by then.
  func start(_ token: AnyCancellable) { upstream.set(token) }
}

/// A namespace for the types that subscribers receive besides values.
public enum Subscribers {
  /// The completion of a publisher.
  public enum Completion<Failure: Error>: Sendable {
    /// All values have been sent.
    case finished
    /// An error has ended the sequence of values.
    case failure(Failure)
  }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}
