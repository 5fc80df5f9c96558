internal import Threading

/// The receiving end of a subscription, until it is canceled or completed.
///
/// Any thread may send values and a completion at any time: they are delivered one after another,
/// in the order in which they were sent, and what is sent during a delivery follows it. Nothing is
/// delivered after a completion.
public final class Subscriber<Input, Failure: Error>: Sendable {
  /// What is sent.
  enum Event {
    case value(Input)
    case completion(Subscribers.Completion<Failure>)

    var isCompletion: Bool {
      if case .completion = self { true } else { false }
    }
  }

  private let handler: SerialHandler<Event>
  private let upstream: Upstream

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
    in context: SerialHandler<Event>.Context = .isolation(.none),
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Input) -> Void
  ) {
    let upstream = Upstream()
    self.upstream = upstream
    handler = SerialHandler(in: context, endingWith: \.isCompletion) { event in
      switch event {
      case .value(let value):
        receiveValue(value)
      case .completion(let completion):
        upstream.cancel()
        receiveCompletion(completion)
      }
    }
  }

  /// Delivers a value, unless the subscription has ended.
  public func receive(_ value: Input) {
    handler.send(.value(value))
  }

  /// Ends the subscription with a completion, unless it has ended.
  public func receive(completion: Subscribers.Completion<Failure>) {
    handler.send(.completion(completion))
  }

  /// Adds an event to those that have to be delivered. ``deliver()`` has to follow.
  func enqueue(_ event: Event) {
    handler.enqueue(event)
  }

  /// Delivers the events that have been added.
  func deliver() {
    handler.deliver()
  }

  /// Delivers an event, unless the subscription has ended.
  func receive(_ event: Event) {
    handler.send(event)
  }

  /// Whether the subscription has not ended.
  var isActive: Bool { handler.isActive }

  /// Ends the subscription without a completion.
  func cancel() {
    handler.end()
    upstream.cancel()
  }

  /// Sets the token of the publisher's side, and cancels it if the subscription has ended
  /// meanwhile.
  func start(_ token: AnyCancellable) {
    upstream.set(token)
  }
}
