internal import Threading

/// Subscriptions. A closure that is isolated to the main actor, such as one written in a
/// `@MainActor` class, is called on the main actor: before the send returns if the sender is also
/// on the main actor, and otherwise later, in order. A closure of another actor is always called
/// later. Any other closure is called on the thread that sends the value.
extension Publisher {
  /// Subscribes: calls one closure with each value, and another when no more values follow, until
  /// the returned token is canceled or deallocated.
  @preconcurrency
  public func sink(
    @_inheritActorContext
    receiveCompletion: @escaping @isolated(any) @Sendable (Subscribers.Completion<Failure>) -> Void,
    @_inheritActorContext
    receiveValue: @escaping @isolated(any) @Sendable (Output) -> Void
  ) -> AnyCancellable {
    let ofCompletion = Isolation(receiveCompletion.isolation)
    let isolation = Isolation(receiveValue.isolation).or(ofCompletion)
    let complete = Isolation.erase(receiveCompletion)
    return subscribe(
      in: .isolation(isolation),
      receiveCompletion: { completion in
        if ofCompletion == isolation || ofCompletion == .none { return complete(completion) }
        ofCompletion.run { complete(completion) }
      }, receiveValue: Isolation.erase(receiveValue))
  }
}

extension Publisher where Failure == Never {
  /// Subscribes: calls a closure with each value, until the returned token is canceled or
  /// deallocated.
  @preconcurrency
  public func sink(
    @_inheritActorContext receiveValue: @escaping @isolated(any) @Sendable (Output) -> Void
  ) -> AnyCancellable {
    subscribe(
      in: .isolation(Isolation(receiveValue.isolation)), receiveCompletion: { _ in },
      receiveValue: Isolation.erase(receiveValue))
  }

  /// Subscribes: sets a property of an object to each value, until the returned token is canceled
  /// or deallocated.
  ///
  /// The subscription keeps the object alive. With an actor, the property is set on that actor,
  /// otherwise on the thread that sends the value.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - object: The object.
  ///   - isolation: The actor that sets the property, by default the caller's.
  public func assign<Root>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root,
    isolation: isolated (any Actor)? = #isolation
  ) -> AnyCancellable {
    // They are used only on the caller's actor.
    nonisolated(unsafe) let (keyPath, object) = (keyPath, object)
    return subscribe(
      in: .isolation(Isolation(isolation)), receiveCompletion: { _ in },
      receiveValue: { object[keyPath: keyPath] = $0 })
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// The values as an asynchronous sequence. Each iteration is a separate subscription, with an
  /// unbounded buffer.
  public var values: PublishedValues<Output> { PublishedValues(eraseToAnyPublisher()) }
}

/// The values of a publisher as an asynchronous sequence.
///
/// An iteration ends when the publisher completes or the task is canceled.
public struct PublishedValues<Output: Sendable>: AsyncSequence, Sendable {
  /// The type of the values.
  public typealias Element = Output
  /// Iterating throws no errors.
  public typealias Failure = Never

  private let publisher: AnyPublisher<Output, Never>

  init(_ publisher: AnyPublisher<Output, Never>) { self.publisher = publisher }

  /// An iterator, which is subscribed to the publisher for as long as it exists.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var iterator: AsyncStream<Output>.Iterator

    /// Returns the next value; nil if the publisher has completed or the task is canceled.
    public mutating func next() async -> Output? { await iterator.next() }

    /// Returns the next value; nil if the publisher has completed or the task is canceled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Output? {
      await iterator.next(isolation: actor)
    }
  }

  /// Subscribes to the publisher.
  public func makeAsyncIterator() -> AsyncIterator {
    let stream = AsyncStream(Output.self) { continuation in
      let subscription = publisher.sink { _ in
        continuation.finish()
      } receiveValue: { value in
        continuation.yield(value)
      }
      continuation.onTermination = { _ in subscription.cancel() }
    }
    return AsyncIterator(iterator: stream.makeAsyncIterator())
  }
}
