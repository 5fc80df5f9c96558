import Threading
import TypedPreferences

/// A publisher whose values a test sends, and what becomes of its subscriptions.
final class Source<Output: Sendable, Failure: Error>: Sendable {
  private struct State {
    var subscribers: [Subscriber<Output, Failure>] = []
    var subscriptions = 0
    var cancellations = 0
  }

  private let state = Lock(State())
  /// What a subscriber gets before its subscription has begun.
  private let first: [Output]

  init(_ type: Failure.Type = Never.self, first: Output...) {
    self.first = first
  }

  var publisher: AnyPublisher<Output, Failure> {
    AnyPublisher { [self] subscriber in
      state.withLock { state in
        state.subscribers.append(subscriber)
        state.subscriptions += 1
      }
      for value in first { subscriber.receiveValue(value) }
      return AnyCancellable { [weak self] in
        self?.state.withLock { state in
          state.subscribers.removeAll { $0 === subscriber }
          state.cancellations += 1
        }
      }
    }
  }

  /// Sends values to whoever subscribes.
  func send(_ values: Output...) {
    for value in values {
      for subscriber in state.withLock({ $0.subscribers }) { subscriber.receiveValue(value) }
    }
  }

  /// Tells whoever subscribes that there are no more values.
  func end(_ completion: Subscribers.Completion<Failure> = .finished) {
    for subscriber in state.withLock({ $0.subscribers }) {
      subscriber.receiveCompletion(completion)
    }
  }

  /// How often somebody has subscribed.
  var subscriptions: Int { state.withLock { $0.subscriptions } }
  /// How many subscriptions have been stopped.
  var cancellations: Int { state.withLock { $0.cancellations } }
}

/// What a subscription has brought.
final class Received<Output: Sendable, Failure: Error>: Sendable {
  private let received = Lock<(values: [Output], completions: [Subscribers.Completion<Failure>])>(
    ([], []))
  private let subscription = Lock<AnyCancellable?>(nil)

  /// Subscribes.
  ///
  /// - Parameter body: What else to do with each value.
  init(
    _ publisher: AnyPublisher<Output, Failure>,
    _ body: @escaping @Sendable (Received, Output) -> Void = { _, _ in }
  ) {
    let new = publisher.sink { [weak self] completion in
      self?.received.withLock { $0.completions.append(completion) }
    } receiveValue: { [weak self] value in
      guard let self else { return }
      received.withLock { $0.values.append(value) }
      body(self, value)
    }
    subscription.withLock { $0 = new }
  }

  var values: [Output] { received.withLock { $0.values } }
  var completions: [Subscribers.Completion<Failure>] { received.withLock { $0.completions } }

  func cancel() {
    subscription.withLock { $0 }?.cancel()
  }
}

/// Something whose life a test follows.
final class Token: Sendable {}
