internal import Threading

/// Some files that a thread polls, one after another.
///
/// The watcher takes the slice from a thread that the file system does not answer; the thread
/// then finishes the file that it is polling, and begins no other one.
final class PollingSlice: Sendable {
  typealias File = (number: Int, path: PathBytes)
  typealias Poll = (number: Int, snapshot: WatchRecord.Snapshot)

  /// The work that the thread has done.
  struct Result {
    var polls: [Poll] = []
    /// The file that it is polling.
    var current: File?
    /// The files that it has not begun to poll.
    var rest: ArraySlice<File>
    var processorTime = Duration.zero
  }

  private struct State {
    var result: Result
    var isTaken = false
  }

  /// The time after which a slice ends, so that the next one gets the watcher's patience again.
  private static let limit = Duration.milliseconds(50)

  private let state: Lock<State>

  init(_ files: [File]) {
    state = Lock(State(result: Result(rest: files[...])))
  }

  /// Polls the files, until that has taken some time.
  ///
  /// - Returns: The poll of the file during which the slice was taken; nil if it was not.
  func poll() -> Poll? {
    let start = ContinuousClock.now
    let processorStart = Duration.threadProcessorTime
    while .now - start < Self.limit, let file = next() {
      let poll = (file.number, WatchRecord.Snapshot(of: file.path))
      let processorTime = Duration.threadProcessorTime - processorStart
      let isTaken = state.withLock { state in
        state.result.current = nil
        state.result.polls.append(poll)
        state.result.processorTime = processorTime
        return state.isTaken
      }
      if isTaken { return poll }
    }
    return nil
  }

  private func next() -> File? {
    state.withLock { state in
      if !state.isTaken { state.result.current = state.result.rest.popFirst() }
      return state.result.current
    }
  }

  /// Takes the slice from the thread.
  func take() -> Result {
    state.withLock { state in
      state.isTaken = true
      return state.result
    }
  }
}
