internal import Threading

/// A status that changes, with streams of its latest value.
final class StatusCell<Status: Sendable & Equatable>: Sendable {
  private struct State {
    var status: Status
    var streamCount = 0
    var streams: [Int: AsyncStream<Status>.Continuation] = [:]
    var isFinished = false
  }

  private let state: Lock<State>

  init(_ status: Status) { state = Lock(State(status: status)) }

  /// The current status.
  var status: Status { state.withLock { $0.status } }

  /// Changes the status, and sends it to the streams if it differs.
  func update(_ body: (inout Status) -> Void) {
    state.withLock { state in
      let old = state.status
      body(&state.status)
      // Within the lock, so that streams get the values in order.
      if state.status != old { for stream in state.streams.values { stream.yield(state.status) } }
    }
  }

  /// Returns a stream of the current status and of later ones, of which a slow reader gets the
  /// latest.
  func updates() -> AsyncStream<Status> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let number = state.withLock { state -> Int? in
        continuation.yield(state.status)
        if state.isFinished { return nil }
        state.streamCount += 1
        state.streams[state.streamCount] = continuation
        return state.streamCount
      }
      guard let number else { return continuation.finish() }
      continuation.onTermination = { [weak self] _ in
        let ended = self?.state.withLock { $0.streams.removeValue(forKey: number) }
        // Released outside the lock.
        withExtendedLifetime(ended) {}
      }
    }
  }

  /// Ends all streams.
  func finish() {
    let ended = state.withLock { state in
      state.isFinished = true
      defer { state.streams = [:] }
      return state.streams
    }
    for stream in ended.values { stream.finish() }
  }
}
