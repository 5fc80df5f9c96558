internal import Threading

/// Makes calls that block on threads of the library, for tasks, which must not block theirs.
///
/// The calls of one file are made one after another, those of tasks of higher priority first, and
/// take one thread at most.
enum AsyncCall {
  /// Separate from the threads that save in the background, which the calls of a program must not
  /// use up.
  private static let pool = WorkerPool(
    "larder-async", width: 8, limit: 64, patience: .seconds(1))

  /// A call, from the time at which it waits for a thread to its end.
  private final class Call<Result: Sendable>: Sendable {
    private enum Stage {
      case waiting(CheckedContinuation<Result, any Error>?)
      case begun(CheckedContinuation<Result, any Error>)
      case ended
    }

    private let stage = Lock(Stage.waiting(nil))
    private let cancellation = Cancellation()

    /// Notes who waits for the call.
    ///
    /// - Returns: False if it has been canceled.
    func wait(_ continuation: CheckedContinuation<Result, any Error>) -> Bool {
      stage.withLock { stage in
        guard case .waiting = stage else { return false }
        stage = .waiting(continuation)
        return true
      }
    }

    /// Makes the call, unless it has been canceled.
    func make(_ body: () throws -> Result) {
      let continuation = stage.withLock { stage -> CheckedContinuation<Result, any Error>? in
        guard case .waiting(let continuation?) = stage else { return nil }
        stage = .begun(continuation)
        return continuation
      }
      guard let continuation else { return }
      let result = Swift.Result<Result, any Error> {
        try Cancellation.$current.withValue(cancellation) {
          do {
            return try body()
          } catch let error as PreferencesError where error.isTimeout && cancellation.isRequested {
            throw CancellationError()
          }
        }
      }
      stage.withLock { $0 = .ended }
      continuation.resume(with: result)
    }

    /// Ends a call that waits for a thread, and lets one that waits for a lock give up.
    func cancel() {
      cancellation.request()
      let continuation = stage.withLock { stage -> CheckedContinuation<Result, any Error>? in
        guard case .waiting(let continuation) = stage else { return nil }
        stage = .ended
        return continuation
      }
      continuation?.resume(throwing: CancellationError())
    }
  }

  /// Makes a call that may block on a thread of the library.
  ///
  /// A task that is canceled does not wait for a thread or a lock any longer. What has begun to be
  /// written is completed.
  ///
  /// - Parameters:
  ///   - file: The file that the call works with; nil if it does not matter.
  ///   - body: The call.
  /// - Throws: What the call throws, or `CancellationError`.
  static func run<Result: Sendable>(
    for file: DomainFile?, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let call = Call<Result>()
    let priority = Task.currentPriority.rawValue
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard call.wait(continuation) else {
          return continuation.resume(throwing: CancellationError())
        }
        let make: @Sendable () -> Void = { ForkGate.shared.allowingForks { call.make(body) } }
        // The system has no more threads.
        if !pool.run(for: file.map(ObjectIdentifier.init), priority: priority, make) { make() }
      }
    } onCancel: {
      call.cancel()
    }
  }
}
