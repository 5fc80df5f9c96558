internal import Threading

extension Publishers {
  /// A publisher of pairs of the first values of two publishers, of their second ones, and so on.
  ///
  /// It finishes when one has finished and all its values are in pairs, and fails when one fails.
  public struct Zip<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
    /// The type of the values.
    public typealias Output = (A.Output, B.Output)
    /// The type of the error.
    public typealias Failure = A.Failure

    private let pairs: AnyPublisher<Output, Failure>

    private struct State {
      /// The values that are in no pair yet.
      var first = Queue<A.Output>()
      var second = Queue<B.Output>()
      var hasFinished = (first: false, second: false)

      mutating func advance(by event: PairSubscription<A, B>.Event)
        -> PairSubscription<A, B>.Outcome
      {
        var outcome = PairSubscription<A, B>.Outcome()
        switch event {
        case .first(let value): first.append(value)
        case .second(let value): second.append(value)
        case .firstFinished: hasFinished.first = true
        case .secondFinished: hasFinished.second = true
        case .failure: break
        }
        if !first.isEmpty, !second.isEmpty, let one = first.popFirst(), let two = second.popFirst()
        {
          outcome.values = (one, two)
        }
        outcome.isFinished =
          hasFinished.first && first.isEmpty || hasFinished.second && second.isEmpty
        return outcome
      }
    }

    /// Creates a publisher of pairs of the values of two publishers.
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
  /// A publisher of the corresponding values of three publishers, otherwise like ``Zip``.
  public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    /// The type of the values.
    public typealias Output = (A.Output, B.Output, C.Output)
    /// The type of the error.
    public typealias Failure = A.Failure

    private let tuples: AnyPublisher<Output, Failure>

    /// Creates a publisher of the corresponding values of three publishers.
    public init(_ a: A, _ b: B, _ c: C) {
      tuples = Zip(Zip(a, b), c).map { ($0.0.0, $0.0.1, $0.1) }
    }

    /// Starts a subscription.
    public func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable {
      tuples.receive(subscriber: subscriber)
    }
  }

  /// A publisher of the corresponding values of four publishers, otherwise like ``Zip``.
  public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    /// The type of the values.
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)
    /// The type of the error.
    public typealias Failure = A.Failure

    private let tuples: AnyPublisher<Output, Failure>

    /// Creates a publisher of the corresponding values of four publishers.
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      tuples = Zip(Zip3(a, b, c), d).map { ($0.0.0, $0.0.1, $0.0.2, $0.1) }
    }

    /// Starts a subscription.
    public func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable {
      tuples.receive(subscriber: subscriber)
    }
  }
}
