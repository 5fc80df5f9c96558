internal import Threading

extension Publisher {
  /// Returns a publisher whose subscriptions share one subscription to this publisher.
  ///
  /// It begins with the first subscription and ends with the last one. A later subscription
  /// receives what is sent from then on; one that follows a completion completes at once.
  public func share() -> AnyPublisher<Output, Failure> {
    let sharing = Sharing(self)
    return AnyPublisher { sharing.receive(subscriber: $0) }
  }
}

/// Subscriptions that share one to another publisher.
private final class Sharing<Upstream: Publisher>: Sendable {
  private struct State {
    /// The number of subscriptions.
    var count = 0
    /// The number of the connection, to tell it apart from a previous one.
    var number = 0
    /// The subscription to the other publisher, once it has started.
    var connection: AnyCancellable?
  }

  private let upstream: Upstream
  private let broadcast = Broadcast<Upstream.Output, Upstream.Failure>()
  private let state = Lock(State())

  init(_ upstream: Upstream) {
    self.upstream = upstream
  }

  func receive(subscriber: Subscriber<Upstream.Output, Upstream.Failure>) -> AnyCancellable {
    let token = broadcast.add(subscriber)
    if broadcast.hasCompleted { return token }
    let number = state.withLock { state -> Int? in
      state.count += 1
      guard state.count == 1 else { return nil }
      state.number += 1
      return state.number
    }
    if let number { connect(number) }
    return AnyCancellable {
      token.cancel()
      self.leave()
    }
  }

  private func connect(_ number: Int) {
    let connection = upstream.subscribe { [broadcast] in
      broadcast.send(completion: $0)
    } receiveValue: { [broadcast] in
      broadcast.send($0, isCurrent: false)
    }
    let isNeeded = state.withLock { state in
      guard state.number == number, state.count > 0 else { return false }
      state.connection = connection
      return true
    }
    if !isNeeded { connection.cancel() }
  }

  private func leave() {
    let connection = state.withLock { state -> AnyCancellable? in
      state.count -= 1
      return state.count == 0 ? exchange(&state.connection, with: nil) : nil
    }
    connection?.cancel()
  }
}
