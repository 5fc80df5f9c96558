internal import Threading

extension Publishers {
  /// A publisher of the latest values of two publishers. Once both have sent a value, it sends a
  /// pair for each new value.
  ///
  /// It finishes when both have finished, or when one finishes without a value, and fails when one
  /// fails.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
    /// The type of the values.
    public typealias Output = (A.Output, B.Output)
    /// The type of the error.
    public typealias Failure = A.Failure

    private let a: A
    private let b: B

    /// Creates a publisher of the latest values of two publishers.
    public init(_ a: A, _ b: B) { (self.a, self.b) = (a, b) }

    private enum Event {
      case first(A.Output)
      case second(B.Output)
      case firstCompletion(Subscribers.Completion<Failure>)
      case secondCompletion(Subscribers.Completion<Failure>)
    }

    private struct State {
      var first: A.Output?
      var second: B.Output?
      var hasFinished = (first: false, second: false)

      /// Whether no more pairs can follow.
      var isFinished: Bool {
        hasFinished.first && (hasFinished.second || first == nil)
          || hasFinished.second && second == nil
      }
    }

    /// Starts a subscription.
    public func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable {
      // The handler handles one event at a time.
      nonisolated(unsafe) var state = State()
      let handler = SerialHandler<Event> { event in
        switch event {
        case .first(let value): state.first = value
        case .second(let value): state.second = value
        case .firstCompletion(.finished): state.hasFinished.first = true
        case .secondCompletion(.finished): state.hasFinished.second = true
        case .firstCompletion(let failure), .secondCompletion(let failure):
          return subscriber.receive(completion: failure)
        }
        switch event {
        case .first, .second:
          if let first = state.first, let second = state.second {
            subscriber.receive((first, second))
          }
        case .firstCompletion, .secondCompletion: break
        }
        if state.isFinished { subscriber.receive(completion: .finished) }
      }
      let tokens = [
        a.subscribe {
          handler.send(.firstCompletion($0))
        } receiveValue: {
          handler.send(.first($0))
        },
        b.subscribe {
          handler.send(.secondCompletion($0))
        } receiveValue: {
          handler.send(.second($0))
        },
      ]
      return AnyCancellable {
        handler.end()
        for token in tokens { token.cancel() }
      }
    }
  }
}

extension Publisher {
  /// Returns a publisher of the values of this and other publishers, as they arrive.
  ///
  /// It finishes when all have finished, and fails when one fails.
  public func merge(
    with others: any Publisher<Output, Failure>...
  ) -> AnyPublisher<Output, Failure> {
    let publishers = [eraseToAnyPublisher()] + others.map { $0.eraseToAnyPublisher() }
    return AnyPublisher { subscriber in
      let remaining = Lock(publishers.count)
      let tokens = publishers.map { publisher in
        publisher.subscribe { completion in
          let isLast = remaining.withLock { remaining in
            remaining -= 1
            return remaining == 0
          }
          if isLast || completion.isFailure { subscriber.receive(completion: completion) }
        } receiveValue: {
          subscriber.receive($0)
        }
      }
      return AnyCancellable { for token in tokens { token.cancel() } }
    }
  }
}

extension Subscribers.Completion {
  /// Whether an error has ended the sequence of values.
  fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
