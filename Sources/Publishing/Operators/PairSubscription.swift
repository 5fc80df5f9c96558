internal import Threading

/// A subscription to two publishers whose events are handled one after another.
enum PairSubscription<First: Publisher, Second: Publisher>
where First.Failure == Second.Failure {
  /// An event of one of the publishers.
  enum Event {
    case first(First.Output)
    case second(Second.Output)
    /// No more values follow of the first publisher.
    case firstFinished
    /// No more values follow of the second publisher.
    case secondFinished
    case failure(First.Failure)
  }

  /// The consequences of an event.
  struct Outcome {
    /// The values to send.
    var values: (First.Output, Second.Output)?
    /// Whether no more values can follow.
    var isFinished = false
    /// The objects to release once no lock is held.
    var released: Any?
  }

  /// Returns a publisher of pairs of values.
  ///
  /// - Parameters:
  ///   - makeState: Returns the state of a new subscription.
  ///   - advance: Changes the state by an event, which is no failure. It runs while a lock is held.
  static func publisher<State>(
    of first: First, _ second: Second, _ makeState: @escaping @Sendable () -> State,
    _ advance: @escaping @Sendable (inout State, Event) -> Outcome
  ) -> AnyPublisher<(First.Output, Second.Output), First.Failure> {
    AnyPublisher { subscriber in
      let state = Lock(makeState())
      let handler = SerialHandler<Event> { event in
        if case .failure(let error) = event {
          return subscriber.receive(completion: .failure(error))
        }
        let outcome = state.withLock { advance(&$0, event) }
        if let values = outcome.values { subscriber.receive(values) }
        if outcome.isFinished { subscriber.receive(completion: .finished) }
      }
      let tokens = [
        first.subscribe {
          handler.send($0.error.map { .failure($0) } ?? .firstFinished)
        } receiveValue: {
          handler.send(.first($0))
        },
        second.subscribe {
          handler.send($0.error.map { .failure($0) } ?? .secondFinished)
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

extension Subscribers.Completion {
  /// The error that has ended the sequence of values.
  fileprivate var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
