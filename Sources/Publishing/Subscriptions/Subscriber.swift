internal import Threading

/// The receiving end of a subscription, until it is canceled or completed.
///
/// Any thread may send values and a completion at any time: they are delivered one after another,
/// in the order in which they were sent; values sent during a delivery follow it. Nothing is
/// delivered after a completion.
public final class Subscriber<Input, Failure: Error>: Sendable {
  /// Wraps the closure, because generic code would convert a bare function to and from its own form
  /// at each access.
  private struct CompletionHandler {
    var body: @Sendable (Subscribers.Completion<Failure>) -> Void
  }

  private struct State {
    /// Nil after the end.
    var completionHandler: CompletionHandler?
    /// The publisher's side of the subscription.
    var upstream: AnyCancellable?
  }

  private let values: SerialHandler<Input>
  private let state: Lock<State>

  init(
    in context: CallContext = .isolation(.none),
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Input) -> Void
  ) {
    values = SerialHandler(in: context, receiveValue)
    state = Lock(State(completionHandler: CompletionHandler(body: receiveCompletion)))
  }

  /// Delivers a value, unless the subscription has ended.
  public func receive(_ value: Input) { values.send(value) }

  /// Ends the subscription with a completion, unless it has already ended.
  public func receive(completion: Subscribers.Completion<Failure>) {
    enqueue(completion: completion)
    deliver()
  }

  /// Adds a value to the queue. Call ``deliver()`` afterwards.
  func enqueue(_ value: Input) { values.enqueue(value) }

  /// Adds a completion to the queue. Call ``deliver()`` afterwards.
  func enqueue(completion: Subscribers.Completion<Failure>) {
    values.enqueueLast { self.complete(completion) }
  }

  func deliver() { values.deliver() }

  /// Ends the subscription without a completion.
  func cancel() {
    values.end()
    withExtendedLifetime(end()) {}
  }

  private func complete(_ completion: Subscribers.Completion<Failure>) { end()?.body(completion) }

  /// Cancels the publisher's side, and returns the completion handler; nil if the subscription had
  /// already ended.
  private func end() -> CompletionHandler? {
    let ended = state.withLock { exchange(&$0, with: State()) }
    ended.upstream?.cancel()
    return ended.completionHandler
  }

  /// Sets the token of the publisher's side, and cancels it if the subscription has already ended.
  func start(_ token: AnyCancellable) {
    let hasEnded = state.withLock { state in
      if state.completionHandler != nil { state.upstream = token }
      return state.completionHandler == nil
    }
    if hasEnded { token.cancel() }
  }
}

/// A namespace for what subscribers receive in addition to values.
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
