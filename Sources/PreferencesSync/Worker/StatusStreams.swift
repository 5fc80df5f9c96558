internal import Threading

/// The streams that deliver a status. Each delivers only the newest status, when its task asks for
/// it.
///
/// A task wakes the streams, with no lock held. To resume the task that reads a stream, the runtime
/// takes a lock of that task. It also holds this lock while it calls cancellation handlers, which
/// may be a user's, or the end of the stream, which takes the lock of this object. Waking the task
/// with a lock held could therefore deadlock.
package final class StatusStreams<Status: Sendable>: Sendable {
  private struct State {
    var signals: [Int: AsyncStream<Void>.Continuation] = [:]
    /// The number of streams so far.
    var count = 0
    /// The number of statuses so far.
    var version = 0
    var isFinished = false
  }

  private let state = Lock(State())
  private let current: @Sendable () -> Status

  /// Creates an empty list of streams.
  ///
  /// - Parameter current: Returns the status at this moment. It is called with no lock held, by the
  ///   tasks that read.
  package init(_ current: @escaping @Sendable () -> Status) { self.current = current }

  /// Delivers the status soon. The caller may hold locks.
  package func send() {
    wake { state in if !state.isFinished { state.version += 1 } }
  }

  /// Ends all streams, once they have the last status, and each new one after its first.
  package func finish() {
    wake { $0.isFinished = true }
  }

  /// Returns a stream that begins with the present status.
  package func updates() -> AsyncStream<Status> {
    let (signals, signal) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    wake { [state] new in
      new.count += 1
      let number = new.count
      new.signals[number] = signal
      // Released outside the lock.
      signal.onTermination = { _ in _ = state.withLock { $0.signals.removeValue(forKey: number) } }
    }
    let seen = Lock(-1)
    return AsyncStream { [state, current] in
      for await _ in signals {
        let version = state.withLock { $0.version }
        if seen.withLock({ exchange(&$0, with: version) }) != version { return current() }
      }
      return nil
    }
  }

  /// Changes the state, and wakes all streams soon.
  private func wake(_ change: (inout State) -> Void) {
    let isUsed = state.withLock { state in
      change(&state)
      return !state.signals.isEmpty
    }
    guard isUsed else { return }
    Task { [state] in
      let (signals, isFinished) = state.withLock { ($0.signals.values.map(\.self), $0.isFinished) }
      for signal in signals {
        signal.yield()
        if isFinished { signal.finish() }
      }
    }
  }
}
