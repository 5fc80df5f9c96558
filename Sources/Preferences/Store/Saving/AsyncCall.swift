internal import Threading

/// A blocking call, made on a thread of the library for a task, which must not block its own
/// thread.
///
/// A call that works with a file waits for its turn, in the order of the tasks' priorities. While
/// it waits, it occupies no thread, can be canceled, and ends at its deadline.
final class AsyncCall<Value: Sendable>: Sendable {
  private enum Stage {
    case waiting(CheckedContinuation<Value, any Error>?)
    case running(CheckedContinuation<Value, any Error>)
    case ended
  }

  private let stage = Lock(Stage.waiting(nil))
  private let cancellation = Cancellation()
  /// The error of a call that has not begun by its deadline.
  private let timeout: PreferencesError

  private init(timeout: PreferencesError) { self.timeout = timeout }

  /// Makes a call on a thread of an engine, or on this thread if the engine has none.
  ///
  /// A canceled task stops waiting for a thread, a turn or a lock. A write that has begun is
  /// completed.
  ///
  /// - Parameters:
  ///   - file: The file whose turn the call waits for; nil if it works with none, or with several.
  ///   - limit: How long the call may wait for its turn.
  /// - Throws: What the call throws, ``PreferencesError/lockTimeout(path:waited:lockFile:)``, or
  ///   `CancellationError`.
  static func run(
    on runtime: Runtime, for file: DomainFile? = nil,
    within limit: TimeLimit = TimeLimit(),
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let call = AsyncCall(
      timeout: .lockTimeout(path: file?.path ?? "", waited: limit.duration, lockFile: nil))
    let priority = Task.currentPriority.rawValue
    defer { runtime.removeAlarm(call) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard call.wait(continuation) else {
          return continuation.resume(throwing: CancellationError())
        }
        if file != nil { runtime.setAlarm(call, at: Moment(limit.deadline)) }
        let make: @Sendable () -> Void = { call.make(for: file, priority: priority, body) }
        if runtime.callers?.run(priority: priority, make) != true { make() }
      }
    } onCancel: {
      call.cancel()
    }
  }

  /// Stores the continuation.
  ///
  /// - Returns: False if the call has been canceled.
  private func wait(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
    stage.withLock { stage in
      guard case .waiting = stage else { return false }
      stage = .waiting(continuation)
      return true
    }
  }

  /// Makes the call in its turn, unless it has already ended.
  private func make(
    for file: DomainFile?, priority: WorkerPool.Priority,
    _ body: @escaping @Sendable () throws -> Value
  ) {
    guard let file else {
      return end(with: perform(body))
    }
    let result = Lock<Result<Value, any Error>?>(nil)
    file.lane.run(
      Lane.Job(pool: file.runtime.callers, priority: priority) {
        let new = self.perform(body)
        result.withLock { $0 = new }
      } afterwards: {
        self.end(with: result.withLock { $0 })
      })
  }

  /// Makes the call; returns nil if it has ended.
  private func perform(_ body: () throws -> Value) -> Result<Value, any Error>? {
    let isBegun = stage.withLock { stage in
      guard case .waiting(let continuation?) = stage else { return false }
      stage = .running(continuation)
      return true
    }
    guard isBegun else { return nil }
    return Result {
      try cancellation.whileRunning { () throws(any Error) in
        do {
          return try body()
        } catch let error as PreferencesError
          where [.time, .ownUpdate].contains(error.cause) && cancellation.isRequested
        {
          throw CancellationError()
        }
      }
    }
  }

  private func end(with result: Result<Value, any Error>?) {
    guard let result else { return }
    let continuation = stage.withLock { stage -> CheckedContinuation<Value, any Error>? in
      guard case .running(let continuation) = stage else { return nil }
      stage = .ended
      return continuation
    }
    // Resuming may run other tasks on this thread.
    ForkGate.shared.allowingForks { continuation?.resume(with: result) }
  }

  /// Ends a call that has not begun. A call that waits for a lock gives up.
  private func cancel() {
    cancellation.request()
    giveUp(CancellationError())
  }

  /// Ends a call that has not begun.
  private func giveUp(_ error: any Error) {
    let continuation = stage.withLock { stage -> CheckedContinuation<Value, any Error>? in
      guard case .waiting(let continuation) = stage else { return nil }
      stage = .ended
      return continuation
    }
    ForkGate.shared.allowingForks { continuation?.resume(throwing: error) }
  }
}

extension AsyncCall: Alarm {
  func ring() { giveUp(timeout) }
}
