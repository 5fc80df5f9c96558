internal import Observation
internal import Threading

/// Notifies observers and streams of changes of the status of `Defaults.iCloud`.
final class StatusChanges: Sendable, Observable {
  typealias Status = Defaults.iCloud.Status

  private struct State {
    var streams: [Int: AsyncStream<Status>.Continuation] = [:]
    var count = 0
  }

  private let registrar = ObservationRegistrar()
  private let state = Lock(State())
  private let current: @Sendable () -> Status

  /// - Parameter current: Returns the status at this moment.
  init(_ current: @escaping @Sendable () -> Status) { self.current = current }

  /// The status at this moment, whose changes are observed.
  var status: Status {
    registrar.access(self, keyPath: \.status)
    return current()
  }

  /// Delivers the status.
  func send() {
    registrar.withMutation(of: self, keyPath: \.status) {}
    state.withLock { state in
      if state.streams.isEmpty { return }
      // Within the lock, so that the last one delivered is the newest.
      let status = current()
      for stream in state.streams.values { stream.yield(status) }
    }
  }

  /// Returns a stream of the present status and all later ones, of which it keeps the newest.
  func updates() -> AsyncStream<Status> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Status.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.count += 1
      state.streams[state.count] = continuation
      continuation.yield(current())
      return state.count
    }
    continuation.onTermination = { [weak self] _ in
      let ended = self?.state.withLock { $0.streams.removeValue(forKey: number) }
      // Released outside the lock.
      withExtendedLifetime(ended) {}
    }
    return stream
  }
}
