internal import Threading

/// Tasks that a thread waits for. It must not be one of the threads that run tasks.
enum BlockingTask {
  /// The result of a task, which another thread reads when the task has ended.
  private final class Outcome<Success: Sendable>: Sendable {
    let value = Lock<Result<Success, any Error>?>(nil)
  }

  /// Runs a closure as a task, and returns its result.
  static func run<Success: Sendable>(
    _ body: @escaping @Sendable () async throws -> Success
  ) throws -> Success {
    let outcome = Outcome<Success>()
    let end = Semaphore()
    end.wait()
    Task {
      let result: Result<Success, any Error>
      do {
        result = .success(try await body())
      } catch {
        result = .failure(error)
      }
      outcome.value.withLock { $0 = result }
      end.post()
    }
    end.wait()
    return try outcome.value.withLock { $0! }.get()
  }

  /// Runs a closure that throws nothing as a task, and waits for it.
  static func run(_ body: @escaping @Sendable () async -> Void) {
    try? run { () async throws in await body() }
  }
}
