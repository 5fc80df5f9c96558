internal import CLinuxFile
internal import Threading

/// Work that is done on as many threads as there are processors.
package enum ParallelWork {
  private struct State<Result> {
    /// The next piece of work for a thread.
    var next = 0
    /// The results that must wait for earlier ones.
    var results: [Int: Result] = [:]
  }

  /// How many results may wait for an earlier one.
  private static let window = 256
  /// How long a wait lasts before it is repeated.
  private static let patience = Duration.seconds(60)

  /// Does pieces of work on several threads, given their numbers, and passes on their results on
  /// this thread, in order.
  package static func run<Result: Sendable>(
    _ count: Int, _ work: @escaping @Sendable (Int) -> Result, consume: (Int, Result) -> Void
  ) {
    let threads = min(count, max(1, Int(larder_processor_count())), window)
    let state = Lock(State<Result>())
    let arrived = AutoResetEvent()
    // Threads that are too far ahead wait for room.
    let room = Semaphore(count: UInt32(window))
    let started = (0..<threads).count { _ in
      threads > 1
        && BackgroundThread.start("worker") {
          while true {
            room.wait()
            let index = state.withLock { state in
              defer { state.next += 1 }
              return state.next
            }
            guard index < count else { return }
            let result = work(index)
            state.withLock { $0.results[index] = result }
            arrived.signal()
          }
        }
    }
    for index in 0..<count {
      guard started > 0 else {
        consume(index, work(index))
        continue
      }
      while true {
        if let result = state.withLock({ $0.results.removeValue(forKey: index) }) {
          room.post()
          consume(index, result)
          break
        }
        arrived.wait(for: patience)
      }
    }
  }
}
