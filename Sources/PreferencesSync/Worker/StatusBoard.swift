internal import FoundationEssentials
internal import Threading

/// The status of something that uses a remote store, and the streams that deliver it.
final class StatusBoard<Status: ConnectionStatus>: Sendable {
  private struct State {
    /// The status without what the clock tells.
    var status = Status()
    var lastContact: ContinuousClock.Instant?
    var streams: [Int: AsyncStream<Status>.Continuation] = [:]
    var streamCount = 0
    var isFinished = false
  }

  private let state = Lock(State())
  private let clock: SyncClock

  init(_ clock: SyncClock) { self.clock = clock }

  /// The status at this moment.
  var current: Status { completed(state.withLock { $0 }) }

  /// Adds what changes without events: the contact, and the clock.
  private func completed(_ state: State) -> Status {
    var status = state.status
    let contact = clock.contact
    status.endpoint = status.isConnected ? contact?.endpoint : nil
    status.clockSkew = clock.skew
    let lastContact = [state.lastContact, contact?.instant].compactMap { $0 }.max()
    status.lastContact = lastContact.map { clock.date(of: $0) }
    return status
  }

  /// Changes the status, and delivers it if it is another one.
  func update(_ body: (inout Status) -> Void) {
    state.withLock { state in
      if state.isFinished { return }
      let old = state.status
      body(&state.status)
      if state.status == old || state.streams.isEmpty { return }
      let status = completed(state)
      // Within the lock, so that the last one delivered is the newest.
      for stream in state.streams.values { stream.yield(status) }
    }
  }

  /// Changes the status, with the time of the change.
  func update(_ body: (inout Status, _ date: Date) -> Void) {
    let date = clock.ownNow
    update { body(&$0, date) }
  }

  /// Records that the remote store has answered just now.
  func noteContact() {
    state.withLock { $0.lastContact = .now }
  }

  /// Returns a stream of the present status and all later ones, of which it keeps the newest.
  func updates() -> AsyncStream<Status> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Status.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state -> Int? in
      continuation.yield(completed(state))
      if state.isFinished { return nil }
      state.streamCount += 1
      state.streams[state.streamCount] = continuation
      return state.streamCount
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      let ended = self?.state.withLock { $0.streams.removeValue(forKey: number) }
      // Released outside the lock.
      withExtendedLifetime(ended) {}
    }
    return stream
  }

  /// Ends all streams with a last status, which is not connected.
  func finish() {
    update { $0.isConnected = false }
    let ended = state.withLock { state in
      state.isFinished = true
      defer { state.streams = [:] }
      return state.streams
    }
    for stream in ended.values { stream.finish() }
  }
}
