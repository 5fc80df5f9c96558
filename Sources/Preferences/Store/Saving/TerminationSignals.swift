public import Glibc
internal import Threading

/// Signals that tell a program to end, from now on taken by the program instead of ending it.
///
/// This works whatever threads exist already, as they do in an asynchronous `main`, where a signal
/// that is only blocked in one thread still ends the process.
///
/// ```swift
/// let signals = TerminationSignals()
/// // … serve …
/// await signals.next()
/// try await PreferencesStore.flushAll(timeout: .seconds(10))
/// ```
///
/// A signal that arrives before it is waited for counts. When the object is released, the signals are
/// ignored. They end a forked child as usual unless it takes them itself, and have their usual effect
/// on other programs that the process starts.
public final class TerminationSignals: SignalReceiver, Sendable {
  private struct State {
    /// Signals that nothing has waited for yet.
    var arrived: [Int32] = []
    var tasks: [(number: Int, continuation: CheckedContinuation<Int32?, Never>)] = []
    var lastTask = 0
  }

  let signals: [Int32]
  private let state = Lock(State())
  private let arrival = AutoResetEvent()

  /// Takes signals: those that tell a program to end, or also others, such as `SIGHUP`.
  public init(_ signals: [Int32] = [SIGTERM, SIGINT]) {
    self.signals = signals
    SignalDelivery.add(self)
  }

  /// Waits for a signal and blocks the calling thread, in a program without an asynchronous `main`.
  ///
  /// - Returns: The signal; nil if none has arrived in time.
  @available(*, noasync, message: "await next() instead")
  @discardableResult
  public func wait(timeout: Duration? = nil) -> Int32? {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    while true {
      if let signal = takeArrived() { return signal }
      let rest = deadline.map { $0 - .now } ?? .seconds(3600)
      if rest <= .zero { return nil }
      arrival.wait(for: rest)
    }
  }

  private func takeArrived() -> Int32? {
    state.withLock { $0.arrived.isEmpty ? nil : $0.arrived.removeFirst() }
  }

  /// Waits for a signal.
  ///
  /// - Returns: The signal; nil if the task is canceled.
  @discardableResult
  public func next() async -> Int32? {
    let number = state.withLock { state in
      state.lastTask += 1
      return state.lastTask
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // The handler of a cancellation that came before has found no task.
        let isCanceled = Task.isCancelled
        let signal = state.withLock { state -> Int32?? in
          if isCanceled { return .some(nil) }
          if !state.arrived.isEmpty { return state.arrived.removeFirst() }
          state.tasks.append((number, continuation))
          return nil
        }
        if let signal { continuation.resume(returning: signal) }
      }
    } onCancel: {
      let canceled = state.withLock { state in
        state.tasks.firstIndex { $0.number == number }.map { state.tasks.remove(at: $0) }
      }
      canceled?.continuation.resume(returning: nil)
    }
  }

  /// Passes a signal to whatever waits for it.
  func deliver(_ signal: Int32) {
    let task = state.withLock { state in
      if state.tasks.isEmpty {
        state.arrived.append(signal)
        return nil as CheckedContinuation<Int32?, Never>?
      }
      return state.tasks.removeFirst().continuation
    }
    arrival.signal()
    task?.resume(returning: signal)
  }
}

extension PreferencesStore {
  /// Waits until the task is canceled, and then saves the changes of all stores, as a child task
  /// beside a server, or the `run()` of a service.
  ///
  /// ```swift
  /// try await withThrowingTaskGroup { group in
  ///   group.addTask { try await PreferencesStore.flushWhenCanceled() }
  ///   await signals.next()
  ///   group.cancelAll()
  ///   try await group.waitForAll()
  /// }
  /// ```
  ///
  /// - Parameter timeout: As for ``flushAll(timeout:)-2aydh``.
  /// - Throws: Why a domain was not saved.
  public static func flushWhenCanceled(timeout: Duration? = nil) async throws {
    let (stream, _) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    // A canceled task cannot wait for anything itself.
    let engine = currentEngine
    try await Task.detached { try await engine.flushAll(timeout: timeout) }.value
  }
}
