internal import Threading

/// The streams that deliver a status: each the newest one that its task has not taken.
///
/// A status is delivered by a task and with no lock held. To resume the task that reads a stream, the
/// runtime takes a lock of that task, which it also holds while the task is canceled and calls what
/// has to be called then: such as the end of the stream, which takes the lock here, or any function of
/// a user. A thread that held a lock while it delivered could wait for that one forever.
package final class StatusStreams<Status: Sendable>: Sendable {
  private struct State {
    var streams: [Int: AsyncStream<Status>.Continuation] = [:]
    /// The number of streams that there have been.
    var count = 0
    /// The last status to deliver.
    var status: Status?
    /// The streams that have not received it.
    var behind: Set<Int> = []
    /// Whether a task delivers.
    var isDelivering = false
    var isFinished = false

    /// Whether there is something to deliver.
    var needsDelivery: Bool { !behind.isEmpty || isFinished && !streams.isEmpty }
  }

  /// What is delivered next.
  private enum Delivery {
    case status(Status, to: [AsyncStream<Status>.Continuation])
    case end(of: [AsyncStream<Status>.Continuation])
  }

  private let state = Lock(State())

  /// Creates streams of which there are none yet.
  package init() {}

  /// Delivers a status soon. The caller may hold locks.
  ///
  /// - Parameter status: Returns the status, with the lock held, so that the last one is the newest.
  ///   It is not called while there are no streams.
  package func send(_ status: () -> Status) {
    change { state in
      if state.streams.isEmpty || state.isFinished { return }
      state.status = status()
      state.behind = Set(state.streams.keys)
    }
  }

  /// Ends all streams, once they have the last status, and each new one after its first.
  package func finish() {
    change { $0.isFinished = true }
  }

  /// Returns a stream that begins with a status.
  ///
  /// - Parameter status: Returns the status, with the lock held.
  package func updates(from status: () -> Status) -> AsyncStream<Status> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Status.self, bufferingPolicy: .bufferingNewest(1))
    change { state in
      // No task reads it yet.
      continuation.yield(status())
      state.count += 1
      state.streams[state.count] = continuation
      let number = state.count
      continuation.onTermination = { [weak self] _ in self?.remove(number) }
    }
    return stream
  }

  private func remove(_ number: Int) {
    let removed = state.withLock { state in
      state.behind.remove(number)
      return state.streams.removeValue(forKey: number)
    }
    // Released outside the lock.
    withExtendedLifetime(removed) {}
  }

  // MARK: Delivery

  /// Changes the state, and starts a task if there is something to deliver and none does.
  private func change(_ body: (inout State) -> Void) {
    let needsTask = state.withLock { state in
      body(&state)
      if state.isDelivering || !state.needsDelivery { return false }
      state.isDelivering = true
      return true
    }
    if needsTask { Task { deliver() } }
  }

  private func deliver() {
    HeldLocks.assertNone("a status is delivered with a lock held")
    while let delivery = next() {
      switch delivery {
      case .status(let status, let streams): for stream in streams { stream.yield(status) }
      case .end(let streams): for stream in streams { stream.finish() }
      }
    }
  }

  /// Returns what is delivered next; nil, which ends the delivery, if there is nothing.
  private func next() -> Delivery? {
    state.withLock { state in
      if let status = exchange(&state.status, with: nil) {
        let streams = exchange(&state.behind, with: []).compactMap { state.streams[$0] }
        return .status(status, to: streams)
      }
      if state.isFinished, !state.streams.isEmpty {
        return .end(of: Array(exchange(&state.streams, with: [:]).values))
      }
      state.isDelivering = false
      return nil
    }
  }
}
