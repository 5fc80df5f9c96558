import Publishing
import Threading

/// A publisher whose values a test sends, which counts its subscriptions.
final class Source<Output: Sendable, Failure: Error>: Sendable {
  private struct State {
    var subscribers: [Subscriber<Output, Failure>] = []
    var subscriptions = 0
    var cancellations = 0
  }

  private let state = Lock(State())
  /// The values that are sent to a subscriber before its subscription has started.
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
      for value in first { subscriber.receive(value) }
      return AnyCancellable { [weak self] in
        self?.state.withLock { state in
          state.subscribers.removeAll { $0 === subscriber }
          state.cancellations += 1
        }
      }
    }
  }

  /// Sends values to all subscribers.
  func send(_ values: Output...) {
    for value in values {
      for subscriber in state.withLock({ $0.subscribers }) { subscriber.receive(value) }
    }
  }

  /// Sends a completion to all subscribers.
  func end(_ completion: Subscribers.Completion<Failure> = .finished) {
    for subscriber in state.withLock({ $0.subscribers }) {
      subscriber.receive(completion: completion)
    }
  }

  /// The number of subscriptions that were started.
  var subscriptions: Int { state.withLock { $0.subscriptions } }
  /// The number of subscriptions that were canceled.
  var cancellations: Int { state.withLock { $0.cancellations } }
}

/// The values and completions that a subscription has delivered.
final class Received<Output: Sendable, Failure: Error>: Sendable {
  private let received = Lock<(values: [Output], completions: [Subscribers.Completion<Failure>])>(
    ([], []))
  private let subscription = Lock<AnyCancellable?>(nil)

  /// Subscribes.
  ///
  /// - Parameter body: A closure that is called with each value after it is recorded.
  init(
    _ publisher: some Publisher<Output, Failure>,
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

  /// The number of values and completions.
  var count: Int { received.withLock { $0.values.count + $0.completions.count } }

  func cancel() {
    subscription.withLock { $0 }?.cancel()
  }
}

/// An object whose lifetime a test observes.
final class Token: Sendable {}

/// The lifetime of a token.
final class Lifetime: Sendable {
  private struct Reference {
    weak var token: Token?
  }

  private let reference = Lock(Reference())

  /// Gives a new token to a closure, and keeps no strong reference to it.
  func start<Result>(_ body: (Token) -> Result) -> Result {
    let token = Token()
    reference.withLock { $0.token = token }
    return body(token)
  }

  var isOver: Bool { reference.withLock { $0.token == nil } }
}

/// The error of publishers that fail.
struct Failure: Error, Equatable {}
