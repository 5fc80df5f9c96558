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
    /// The streams that have not received the present status.
    var behind: Set<Int> = []
    /// Whether a task delivers.
    var isDelivering = false
    var isFinished = false

    /// Whether there is something to deliver.
    var needsDelivery: Bool { !behind.isEmpty || isFinished && !streams.isEmpty }
  }

  /// What is delivered next.
  private enum Delivery {
    case status(to: [AsyncStream<Status>.Continuation])
    case end(of: [AsyncStream<Status>.Continuation])
  }

  private let state = Lock(State())
  private let current: @Sendable () -> Status

  /// Creates an empty list of streams.
  ///
  /// - Parameter current: Returns the status at this moment. It is called with no lock held, before each
  ///   delivery, and so the last status that is delivered is the newest.
  package init(_ current: @escaping @Sendable () -> Status) { self.current = current }

  /// Delivers the status soon. The caller may hold locks.
  package func send() {
    change { state in
      if !state.isFinished { state.behind = Set(state.streams.keys) }
    }
  }

  /// Ends all streams, once they have the last status, and each new one after its first.
  package func finish() {
    change { $0.isFinished = true }
  }

  /// Returns a stream that begins with the present status.
  package func updates() -> AsyncStream<Status> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Status.self, bufferingPolicy: .bufferingNewest(1))
    change { state in
      state.count += 1
      let number = state.count
      state.streams[number] = continuation
      state.behind.insert(number)
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
      case .status(let streams):
        let status = current()
        for stream in streams { stream.yield(status) }
      case .end(let streams): for stream in streams { stream.finish() }
      }
    }
  }

  /// Returns what is delivered next; nil, which ends the delivery, if there is nothing.
  private func next() -> Delivery? {
    state.withLock { state in
      if !state.behind.isEmpty {
        return .status(to: exchange(&state.behind, with: []).compactMap { state.streams[$0] })
      }
      if state.isFinished, !state.streams.isEmpty {
        return .end(of: Array(exchange(&state.streams, with: [:]).values))
      }
      state.isDelivering = false
      return nil
    }
  }
}
