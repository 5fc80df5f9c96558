extension Publishers {
  /// A publisher of the latest values of two publishers: a pair whenever one sends a value, as soon
  /// as both have sent one.
  ///
  /// It finishes when both have finished, or one has without a value, and fails when one fails.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
    /// The type of the values.
    public typealias Output = (A.Output, B.Output)
    /// The type of the error.
    public typealias Failure = A.Failure

    private let pairs: AnyPublisher<Output, Failure>

    private struct State {
      var latest: (first: A.Output?, second: B.Output?) = (nil, nil)
      var hasFinished = (first: false, second: false)

      mutating func advance(by event: PairSubscription<A, B>.Event)
        -> PairSubscription<A, B>.Outcome
      {
        var outcome = PairSubscription<A, B>.Outcome()
        switch event {
        case .first(let value):
          outcome.released = exchange(&latest.first, with: value)
          outcome.values = pair
        case .second(let value):
          outcome.released = exchange(&latest.second, with: value)
          outcome.values = pair
        case .firstFinished: hasFinished.first = true
        case .secondFinished: hasFinished.second = true
        case .failure: break
        }
        outcome.isFinished =
          hasFinished.first && (hasFinished.second || latest.first == nil)
          || hasFinished.second && latest.second == nil
        return outcome
      }

      private var pair: Output? {
        guard let first = latest.first, let second = latest.second else { return nil }
        return (first, second)
      }
    }

    /// Creates a publisher of the latest values of two publishers.
    public init(_ a: A, _ b: B) {
      pairs = PairSubscription.publisher(of: a, b, { State() }) { $0.advance(by: $1) }
    }

    /// Starts a subscription.
    public func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable {
      pairs.receive(subscriber: subscriber)
    }
  }
}

extension Publishers {
  /// A publisher of the latest values of three publishers, otherwise like ``CombineLatest``.
  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    /// The type of the values.
    public typealias Output = (A.Output, B.Output, C.Output)
    /// The type of the error.
    public typealias Failure = A.Failure

    private let tuples: AnyPublisher<Output, Failure>

    /// Creates a publisher of the latest values of three publishers.
    public init(_ a: A, _ b: B, _ c: C) {
      tuples = CombineLatest(CombineLatest(a, b), c).map { ($0.0.0, $0.0.1, $0.1) }
    }

    /// Starts a subscription.
    public func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable {
      tuples.receive(subscriber: subscriber)
    }
  }

  /// A publisher of the latest values of four publishers, otherwise like ``CombineLatest``.
  public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    /// The type of the values.
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)
    /// The type of the error.
    public typealias Failure = A.Failure

    private let tuples: AnyPublisher<Output, Failure>

    /// Creates a publisher of the latest values of four publishers.
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      tuples = CombineLatest(CombineLatest3(a, b, c), d).map { ($0.0.0, $0.0.1, $0.0.2, $0.1) }
    }

    /// Starts a subscription.
    public func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable {
      tuples.receive(subscriber: subscriber)
    }
  }
}
