internal import Threading

/// Does something that waits for disks, locks or observers on a thread of its own: the few threads of tasks
/// are there for all.
func blocking<Success: Sendable>(
  _ body: @escaping @Sendable () throws(SynchronizationError) -> Success
) async throws(SynchronizationError) -> Success {
  let result = await withCheckedContinuation { continuation in
    let isStarted = BackgroundThread.start("larder-sync") {
      // A fork need not wait for its end: the thread is like any other of the program.
      ForkGate.shared.rest { continuation.resume(returning: Result(catching: body)) }
    }
    if !isStarted { continuation.resume(returning: Result(catching: body)) }
  }
  return try result.get()
}
