internal import Threading

extension BackgroundThread {
  /// Runs a closure that may block on disks, locks or observers, on a new thread rather than on the
  /// cooperative pool of tasks.
  static func run<Success: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Success
  ) async throws(Failure) -> Success {
    let result = await withCheckedContinuation { continuation in
      let isStarted = start("larder-sync") {
        // A fork does not wait for the closure, which may block for long.
        ForkGate.shared.allowingForks { continuation.resume(returning: Result(catching: body)) }
      }
      if !isStarted { continuation.resume(returning: Result(catching: body)) }
    }
    return try result.get()
  }
}
