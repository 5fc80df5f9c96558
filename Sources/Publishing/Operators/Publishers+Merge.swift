internal import Threading

extension Publishers {
  /// A publisher of the values of several publishers, as they come.
  ///
  /// It finishes when all have finished, and fails when one fails.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    /// The type of the values.
    public typealias Output = Upstream.Output
    /// The type of the error.
    public typealias Failure = Upstream.Failure

    private let publishers: [Upstream]

    /// Creates a publisher of the values of some publishers.
    public init(_ publishers: Upstream...) {
      self.publishers = publishers
    }

    /// Creates a publisher of the values of some publishers.
    public init(_ publishers: some Sequence<Upstream>) {
      self.publishers = Array(publishers)
    }

    /// Starts a subscription.
    public func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable {
      if publishers.isEmpty { subscriber.receive(completion: .finished) }
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

  /// A publisher of the values of two publishers, as they come.
  ///
  /// It finishes when both have finished, and fails when one fails.
  public struct Merge<A: Publisher, B: Publisher>: Publisher
  where A.Output == B.Output, A.Failure == B.Failure {
    /// The type of the values.
    public typealias Output = A.Output
    /// The type of the error.
    public typealias Failure = A.Failure

    private let merged: MergeMany<AnyPublisher<Output, Failure>>

    /// Creates a publisher of the values of two publishers.
    public init(_ a: A, _ b: B) {
      merged = MergeMany(a.eraseToAnyPublisher(), b.eraseToAnyPublisher())
    }

    /// Starts a subscription.
    public func receive(subscriber: Subscriber<Output, Failure>) -> AnyCancellable {
      merged.receive(subscriber: subscriber)
    }
  }
}

extension Publisher {
  /// Returns a publisher of the values of this and other publishers, as they come.
  ///
  /// It finishes when all have finished, and fails when one fails.
  public func merge(
    with others: any Publisher<Output, Failure>...
  ) -> AnyPublisher<Output, Failure> {
    let others = others.map { AnyPublisher(erasing: $0) }
    return Publishers.MergeMany([eraseToAnyPublisher()] + others).eraseToAnyPublisher()
  }
}

extension AnyPublisher {
  fileprivate init(erasing publisher: any Publisher<Output, Failure>) {
    self.init(publisher)
  }
}

extension Subscribers.Completion {
  /// Whether an error has ended the sequence of values.
  fileprivate var isFailure: Bool {
    if case .failure = self { true } else { false }
  }
}
