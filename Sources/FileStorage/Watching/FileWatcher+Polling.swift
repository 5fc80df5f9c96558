internal import Glibc
internal import Threading

/// Polling of files whose changes the kernel does not report: polling one takes no more than
/// stat(2).
extension FileWatcher {
  /// The minimum ratio between the time from one pass over the files to the next and the processor
  /// time that a pass takes.
  private static let ratio = 30
  /// The largest number of files that a thread polls before it returns to the watcher.
  private static let sliceSize = 128

  /// Polls all such files, if it is time, and tries to add watches that are lacking.
  func pollFiles(_ session: WatchDescriptors) {
    let files = withSession(session, else: []) { $0.startPolling() }
    guard !files.isEmpty else { return }
    let start = ContinuousClock.now
    var processorTime = Duration.zero
    var rest = files[...]
    while !rest.isEmpty {
      let (unfinished, time) = poll(rest.prefix(Self.sliceSize), session)
      rest = unfinished + rest.dropFirst(Self.sliceSize)
      processorTime += time
    }
    processorTime += addLackingWatches(session)
    // Without a thread, the owner decides how often to poll.
    let pause =
      workers == nil ? .zero : max(ContinuousClock.now - start, processorTime * Self.ratio)
    withSession(session, else: ()) { state in
      state.pollingTime = state.now + max(state.options.pollingInterval, pause)
    }
  }

  /// Polls some files on a thread other than the watcher's; returns the files that are left.
  private func poll(
    _ files: ArraySlice<Int>, _ session: WatchDescriptors
  ) -> (unfinished: ArraySlice<Int>, processorTime: Duration) {
    let begun = withSession(session, else: []) { $0.beginPolling(of: files) }
    guard !begun.isEmpty else { return ([], .zero) }
    let slice = PollingSlice(begun)
    run { [self] in
      guard let late = slice.poll() else { return }
      withSession(session, else: ()) { state in
        state.record(late.identity, of: late.number)
        if state.endWork(on: late.number) { session.event?.signal() }
      }
    }
    let result = slice.take()
    withSession(session, else: ()) { state in
      for poll in result.polls {
        state.record(poll.identity, of: poll.number)
        _ = state.endWork(on: poll.number)
      }
      // The thread is still working on this one.
      if let file = result.current { state.leaveWork(on: file.number) }
      for file in result.rest { _ = state.endWork(on: file.number) }
    }
    return (ArraySlice(result.rest.map(\.number)), result.processorTime)
  }

  /// Resolves the path of a polled file without a watch again and, as long as that adds missing
  /// watches, the paths of other such files. Returns the processor time that it took.
  private func addLackingWatches(_ session: WatchDescriptors) -> Duration {
    let processorTime = Lock(Duration.zero)
    var file = withSession(session, else: nil) { $0.nextLackingWatches() }
    while let number = file {
      work(on: number, session) {
        let start = Duration.threadProcessorTime
        self.resolve(number, session)
        let end = Duration.threadProcessorTime
        processorTime.withLock { $0 += end - start }
      }
      file = withSession(session, else: nil) { state in
        state.polled.contains(number) ? nil : state.nextLackingWatches()
      }
    }
    return processorTime.withLock { $0 }
  }
}

extension Duration {
  /// The processor time of the calling thread.
  static var threadProcessorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

/// Some files that a thread polls, one after another. If the file system does not respond to the
/// thread, the watcher takes the slice away; the thread then finishes only the file that it is
/// polling.
final class PollingSlice: Sendable {
  typealias File = (number: Int, path: PathBytes)
  typealias Poll = (number: Int, identity: FileIdentity?)

  /// The work that the thread has done.
  struct Result {
    var polls: [Poll] = []
    var current: File?
    /// The files that it has not begun to poll.
    var rest: ArraySlice<File>
    var processorTime = Duration.zero
  }

  private struct State {
    var result: Result
    var isTaken = false
  }

  /// A slice ends after this time, so that the next one gets the watcher's patience again.
  private static let limit = Duration.milliseconds(50)

  private let state: Lock<State>

  init(_ files: [File]) { state = Lock(State(result: Result(rest: files[...]))) }

  /// Polls the files for some time; returns the poll during which the slice was taken away.
  func poll() -> Poll? {
    let start = ContinuousClock.now
    let processorStart = Duration.threadProcessorTime
    while .now - start < Self.limit, let file = next() {
      let poll = (file.number, file.path.identity())
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

  /// Takes the slice away from the thread.
  func take() -> Result {
    state.withLock { state in
      state.isTaken = true
      return state.result
    }
  }
}
