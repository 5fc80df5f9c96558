internal import Threading

extension Publishers {
  /// The values of several publishers of one type.
  fileprivate struct MergeMany<Upstream: Publisher>: Publisher {
    let publishers: [Upstream]

    func receive(
      subscriber: Subscriber<Upstream.Output, Upstream.Failure>
    ) -> AnyCancellable {
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
      merged = MergeMany(publishers: [a.eraseToAnyPublisher(), b.eraseToAnyPublisher()])
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
    return Publishers.MergeMany(publishers: [eraseToAnyPublisher()] + others).eraseToAnyPublisher()
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
