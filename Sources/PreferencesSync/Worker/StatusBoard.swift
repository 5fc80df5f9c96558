internal import FoundationEssentials
internal import Threading

/// The status of a user of a remote store, and the streams that deliver it.
final class StatusBoard<Status: ConnectionStatus>: Sendable {
  private struct State {
    /// The status without the fields that depend on the clock.
    var status = Status()
    var lastContact: ContinuousClock.Instant?
    var isFinished = false
  }

  private let state: Lock<State>
  private let streams: StatusStreams<Status>
  private let clock: SyncClock

  init(_ clock: SyncClock) {
    let state = Lock(State())
    self.clock = clock
    self.state = state
    streams = StatusStreams { Self.completed(state.withLock { $0 }, clock) }
  }

  /// The status at this moment.
  var current: Status { Self.completed(state.withLock { $0 }, clock) }

  /// Adds the parts that change without events: the contact, and the clock. No lock is held,
  /// because a remote store may have a user's type.
  private static func completed(_ state: State, _ clock: SyncClock) -> Status {
    var status = state.status
    let contact = clock.contact
    status.endpoint = status.isConnected ? contact?.endpoint : nil
    status.clockSkew = clock.skew(of: contact)
    status.lastContact = state.lastContact.map { clock.date(of: $0) }
    return status
  }

  /// Changes the status but not its error, and delivers it if it has changed.
  func update(_ body: (inout Status) -> Void) {
    state.withLock { state in
      if state.isFinished { return }
      // Errors may have a user's types, so they are not compared while the lock is held.
      let error = exchange(&state.status.lastError, with: nil)
      let old = state.status
      body(&state.status)
      let isNew = state.status != old
      state.status.lastError = error
      if isNew { streams.send() }
    }
  }

  /// Shows an error and when it was reported, and delivers the status.
  func show(_ error: Status.Failure) {
    let date = clock.ownNow
    let old = state.withLock { state -> Status.Failure? in
      if state.isFinished { return nil }
      state.status.lastErrorDate = date
      let old = exchange(&state.status.lastError, with: error)
      streams.send()
      return old
    }
    // Released outside the lock.
    withExtendedLifetime(old) {}
  }

  /// Records that the remote store has answered just now.
  func noteContact() {
    state.withLock { $0.lastContact = .now }
  }

  /// Returns a stream of the current status and all later ones. It buffers only the latest.
  func updates() -> AsyncStream<Status> { streams.updates() }

  /// Ends all streams with a last status, which is not connected.
  func finish() {
    update { $0.isConnected = false }
    state.withLock { $0.isFinished = true }
    streams.finish()
  }
}
