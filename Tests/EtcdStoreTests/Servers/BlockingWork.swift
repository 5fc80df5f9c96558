#if Etcd
  import Foundation

  /// Runs a closure that blocks, on a new thread rather than in the pool of tasks.
  func blocking<Success: Sendable>(
    _ body: @escaping @Sendable () throws -> Success
  ) async throws -> Success {
    let result = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: Result { try body() }) }
    }
    return try result.get()
  }
#endif
