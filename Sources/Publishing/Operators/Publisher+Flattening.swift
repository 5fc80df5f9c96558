internal import Threading

/// Publishers of publishers.
extension Publisher {
  /// Returns a publisher of the values of all publishers that a closure makes of the values of this
  /// one.
  ///
  /// It finishes when this publisher and all others have finished, and fails when one fails.
  @preconcurrency
  public func flatMap<Inner: Publisher>(
    @_inheritActorContext
    _ transform: @escaping @isolated(any) @Sendable (Output) -> Inner
  ) -> AnyPublisher<Inner.Output, Failure> where Inner.Failure == Failure {
    map(transform).flatten(onlyLatest: false)
  }

  /// Returns a publisher of the values of the latest publisher that this one has sent: when another
  /// one follows, the subscription to the previous one is canceled.
  ///
  /// It finishes when this publisher and the latest one have finished, and fails when one of them
  /// fails.
  public func switchToLatest() -> AnyPublisher<Output.Output, Failure>
  where Output: Publisher, Output.Failure == Failure {
    flatten(onlyLatest: true)
  }

  /// Returns a publisher of the values of publishers that this one sends.
  ///
  /// - Parameter onlyLatest: Whether the next publisher replaces the previous one.
  private func flatten(
    onlyLatest: Bool
  ) -> AnyPublisher<Output.Output, Failure> where Output: Publisher, Output.Failure == Failure {
    AnyPublisher { subscriber in
      let flattening = Flattening<Output>(to: subscriber, onlyLatest: onlyLatest)
      let token = subscribe {
        flattening.handler.send($0.isFailure ? .failed($0) : .outerFinished)
      } receiveValue: {
        flattening.handler.send(.inner($0))
      }
      return AnyCancellable {
        token.cancel()
        flattening.cancel()
      }
    }
  }
}

/// The subscriptions to the publishers that another publisher sends.
private final class Flattening<Inner: Publisher>: Sendable {
  enum Event {
    case inner(Inner)
    case outerFinished
    case value(Inner.Output, of: Int)
    case innerFinished(Int)
    case failed(Subscribers.Completion<Inner.Failure>)
  }

  private struct State {
    /// The tokens of the subscriptions that have not completed, by number; a token is nil while its
    /// subscription is starting.
    var subscriptions: [Int: AnyCancellable?] = [:]
    var count = 0
    var hasOuterFinished = false
  }

  /// Handles the events of all publishers, one after another.
  let handler = SerialHandler<Event>()
  private let subscriber: Subscriber<Inner.Output, Inner.Failure>
  private let onlyLatest: Bool
  private let state = Lock(State())

  init(to subscriber: Subscriber<Inner.Output, Inner.Failure>, onlyLatest: Bool) {
    self.subscriber = subscriber
    self.onlyLatest = onlyLatest
    handler.start { self.handle($0) }
  }

  /// Ends all subscriptions.
  func cancel() {
    handler.end()
    let ended = state.withLock { exchange(&$0.subscriptions, with: [:]) }
    for token in ended.values { token?.cancel() }
  }

  private func handle(_ event: Event) {
    switch event {
    case .inner(let publisher):
      subscribe(to: publisher)
    case .outerFinished:
      state.withLock { $0.hasOuterFinished = true }
      finishIfDone()
    case .value(let value, let number):
      // It may have been sent before the publisher was replaced.
      if state.withLock({ $0.subscriptions[number] != nil }) { subscriber.receive(value) }
    case .innerFinished(let number):
      let token = state.withLock { $0.subscriptions.removeValue(forKey: number) }
      withExtendedLifetime(token) {}
      finishIfDone()
    case .failed(let completion):
      subscriber.receive(completion: completion)
    }
  }

  private func subscribe(to publisher: Inner) {
    let (number, replaced) = state.withLock { state in
      let replaced = onlyLatest ? exchange(&state.subscriptions, with: [:]) : [:]
      state.count += 1
      state.subscriptions[state.count] = .some(nil)
      return (state.count, replaced)
    }
    for token in replaced.values { token?.cancel() }
    let token = publisher.subscribe { [handler] in
      handler.send($0.isFailure ? .failed($0) : .innerFinished(number))
    } receiveValue: { [handler] in
      handler.send(.value($0, of: number))
    }
    let isCanceled = state.withLock { state in
      if state.subscriptions[number] == nil { return true }
      state.subscriptions[number] = token
      return false
    }
    if isCanceled { token.cancel() }
  }

  private func finishIfDone() {
    let isDone = state.withLock { $0.hasOuterFinished && $0.subscriptions.isEmpty }
    if isDone { subscriber.receive(completion: .finished) }
  }
}
