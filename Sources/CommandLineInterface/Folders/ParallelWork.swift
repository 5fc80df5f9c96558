internal import CLinuxFile
internal import Threading

/// Work that is done on as many threads as there are processors.
package enum ParallelWork {
  private struct State<Result> {
    /// The next piece of work that a thread takes.
    var next = 0
    /// The piece whose result is wanted next.
    var wanted = 0
    /// The results that are not wanted yet.
    var results: [Int: Result] = [:]
    /// The events for which threads wait that are too far ahead.
    var waiting: [AutoResetEvent] = []
  }

  /// How many results may wait for an earlier one.
  private static let window = 256
  /// The time after which a wait begins again.
  private static let patience = Duration.seconds(60)

  /// Does pieces of work on several threads, given their numbers, and passes on their results on
  /// this thread, in order.
  package static func run<Result: Sendable>(
    _ count: Int, _ work: @escaping @Sendable (Int) -> Result, consume: (Int, Result) -> Void
  ) {
    let threads = min(count, max(1, Int(larder_processor_count())))
    let state = Lock(State<Result>())
    let arrived = AutoResetEvent()
    let started = (0..<threads).count { _ in
      threads > 1
        && BackgroundThread.start("worker") { perform(count, work, state, signaling: arrived) }
    }
    for index in 0..<count {
      guard started > 0 else {
        consume(index, work(index))
        continue
      }
      while true {
        let (result, waiting) = state.withLock { state -> (Result?, [AutoResetEvent]) in
          guard let result = state.results.removeValue(forKey: index) else { return (nil, []) }
          state.wanted = index + 1
          defer { state.waiting = [] }
          return (result, state.waiting)
        }
        for event in waiting { event.signal() }
        if let result {
          consume(index, result)
          break
        }
        arrived.wait(for: patience)
      }
    }
  }

  /// Does pieces of work until none is left.
  private static func perform<Result: Sendable>(
    _ count: Int, _ work: @Sendable (Int) -> Result, _ state: Lock<State<Result>>,
    signaling arrived: AutoResetEvent
  ) {
    let event = AutoResetEvent()
    while true {
      let (index, mustWait) = state.withLock { state -> (Int?, Bool) in
        guard state.next < count else { return (nil, false) }
        guard state.next < state.wanted + window else {
          state.waiting.append(event)
          return (nil, true)
        }
        state.next += 1
        return (state.next - 1, false)
      }
      if let index {
        let result = work(index)
        state.withLock { $0.results[index] = result }
        arrived.signal()
      } else if mustWait {
        event.wait(for: patience)
      } else {
        return
      }
    }
  }
}
