internal import Glibc
internal import Threading

extension FileWatcher {
  /// How long changes may gather while handlers have a rest.
  private static let longestPause = Duration.milliseconds(100)
  /// How long they gather at least when those that came before were none of ours.
  private static let pauseAfterOthers = Duration.milliseconds(1)
  /// How many times the processor time that looking at all files took passes, at least, until it is done
  /// again.
  private static let pollingRest = 30

  /// What the thread waits for, as descriptors' numbers: it keeps none of their owners, which in a child
  /// would keep them open.
  private struct Wait {
    var limit: Duration?
    var inotify: Int32
    var signal: Int32

    /// Waits until there is something to do.
    func callAsFunction() {
      var descriptors = [inotify, signal].map { number in
        pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      }
      var milliseconds: Int32 = -1
      if let limit {
        let (seconds, attoseconds) = limit.components
        let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        milliseconds = Int32(min(seconds, 1_000_000) * 1000 + rest)
      }
      ForkGate.shared.allowingForks {
        _ = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
      }
    }
  }

  /// Starts the thread if there are files to watch and none does.
  ///
  /// - Parameter newFile: The file whose handler need not be called, since it has just been added.
  func startThread(_ state: inout WatchState, newFile: Int? = nil) {
    guard let session = state.beginSession(newFile: newFile) else { return }
    if !BackgroundThread.start("larder-watcher", { self.run(session) }) {
      state.endSession()
      state.close(session)
    }
  }

  private func run(_ session: WatchSession) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 8)
    defer { buffer.deallocate() }
    while let wait = nextWait(session) {
      wait()
      let start = ContinuousClock.now
      let hasEvents = withSession(session, else: false) { $0.takeEvents(into: buffer) }
      pollFiles(session)
      while withSession(session, else: false, { $0.resolveNext() }) {}
      let hasCalled = callHandlers(session)
      guard hasEvents || hasCalled else { continue }
      // In a storm of changes no more than half of the time is spent on them.
      let pause = min(ContinuousClock.now - start, Self.longestPause)
      let rest = hasCalled ? pause : max(pause, Self.pauseAfterOthers)
      ForkGate.shared.allowingForks { rest.sleep() }
    }
  }

  /// What the thread waits for next; nil when it is no longer needed, and what it had open is closed.
  private func nextWait(_ session: WatchSession) -> Wait? {
    withState { state in
      guard state.session === session else {
        state.close(session)
        return nil
      }
      return Wait(
        limit: state.sleepLimit, inotify: session.inotify?.number ?? -1,
        signal: session.event?.number ?? -1)
    }
  }

  /// The same as `withState` for the thread of a session; gives another value when it is to end.
  private func withSession<Result>(
    _ session: WatchSession, else result: Result, _ body: (inout WatchState) -> Result
  ) -> Result {
    withState { $0.session === session ? body(&$0) : result }
  }

  /// Looks at the files whose changes the kernel does not tell, if it is time to.
  private func pollFiles(_ session: WatchSession) {
    let files = withSession(session, else: []) { $0.filesToPoll() }
    guard !files.isEmpty else { return }
    let (start, startOfWork) = (ContinuousClock.now, Self.processorTime())
    for file in files {
      guard let path = withSession(session, else: nil, { $0.pathToPoll(file) }) else { continue }
      // A network that does not answer keeps nobody but this thread waiting.
      let look = WatchRecord.Look(at: path)
      withSession(session, else: ()) { $0.take(look, at: file) }
    }
    // Waiting for a disk or a network costs nobody anything, but need not be done all the time either.
    let end = ContinuousClock.now
    let rest = max(end - start, (Self.processorTime() - startOfWork) * Self.pollingRest)
    withSession(session, else: ()) { state in
      state.pollingTime = end + max(state.options.pollingInterval, rest)
    }
  }

  /// Calls the handlers of the files that have changed.
  ///
  /// - Returns: Whether there were any.
  private func callHandlers(_ session: WatchSession) -> Bool {
    let files = withSession(session, else: Set<Int>()) { state in
      defer { state.changed = [] }
      return state.changed
    }
    for file in files {
      let record = withSession(session, else: nil) { $0.files[file] }
      record?.handler()
    }
    return !files.isEmpty
  }

  /// How long the thread has run on a processor.
  private static func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
