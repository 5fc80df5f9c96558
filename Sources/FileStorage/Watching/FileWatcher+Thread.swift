internal import Glibc
internal import Synchronization
internal import Threading

extension FileWatcher {
  /// The maximum pause after calls of handlers.
  private static let longestPause = Duration.milliseconds(100)
  /// The minimum time from one attempt to start the thread to the next.
  private static let pauseBetweenStarts = Duration.milliseconds(100)
  /// The minimum pause after events of no interest.
  private static let pauseAfterForeignEvents = Duration.milliseconds(1)

  /// The descriptors that the thread waits for. They are held by number only, so that a forked
  /// child can close them.
  private struct Wait {
    var limit: Duration?
    var inotify: Int32
    var event: Int32

    /// Waits until there is something to do.
    func callAsFunction() {
      var descriptors = [inotify, event].map { number in
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

  /// Starts a thread if there are files to watch and none is running. A new file's handler is not
  /// called.
  func startThread(_ state: inout WatchState, newFile: Int? = nil) {
    lacksThread.store(false, ordering: .releasing)
    guard let session = state.beginSession(newFile: newFile), workers != nil else { return }
    if !BackgroundThread.start("larder-watcher", { self.run(session) }) {
      state.endSession()
      state.close(session)
      state.startingTime = state.now + Self.pauseBetweenStarts
      lacksThread.store(true, ordering: .releasing)
    }
  }

  private func run(_ session: WatchDescriptors) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 8)
    defer { buffer.deallocate() }
    while let wait = nextWait(session) {
      wait()
      let start = ContinuousClock.now
      let (hasEvents, hasCalled) = doWhatIsDue(session, buffer)
      guard hasEvents || hasCalled else { continue }
      reduceWatches(session)
      // During a flood of changes, at most half of the time is spent on them.
      let work = min(ContinuousClock.now - start, Self.longestPause)
      let pause = hasCalled ? work : max(work, Self.pauseAfterForeignEvents)
      pause.sleep()
    }
  }

  /// Takes events, and does the polling, resolving and calling that is due.
  private func doWhatIsDue(
    _ session: WatchDescriptors, _ buffer: UnsafeMutableRawBufferPointer
  ) -> (hasEvents: Bool, hasCalled: Bool) {
    let hasEvents = withSession(session, else: false) { $0.takeEvents(into: buffer) }
    pollFiles(session)
    while let file = withSession(session, else: nil, { $0.takeUnresolved() }) {
      work(on: file, session) { self.resolve(file, session) }
    }
    return (hasEvents, callHandlers(session))
  }

  /// When a watcher without a thread has something to do; nil if nothing is planned.
  package var nextTime: ContinuousClock.Instant? {
    withState { state in state.session == nil ? nil : state.sleepLimit.map { state.now + $0 } }
  }

  /// Makes a watcher without a thread poll all files at the next call of ``doWhatIsDue()``.
  package func pollSoon() { withState { $0.pollingTime = $0.now } }

  /// Does the watcher's present work on this thread, if the watcher has no thread.
  package func doWhatIsDue() {
    guard let session = withState({ $0.session }) else { return }
    let none = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    _ = doWhatIsDue(session, none)
  }

  /// Returns the thread's next wait, or closes its descriptors and returns nil if it is to end.
  private func nextWait(_ session: WatchDescriptors) -> Wait? {
    withState { state in
      state.endIfIdle()
      guard state.session === session else {
        state.close(session)
        return nil
      }
      return Wait(
        limit: state.sleepLimit, inotify: session.inotify?.number ?? -1,
        event: session.event?.number ?? -1)
    }
  }

  /// Calls the handlers of the files that have changed; returns whether there were any.
  private func callHandlers(_ session: WatchDescriptors) -> Bool {
    let files = withSession(session, else: []) { $0.takeChanged() }
    for file in files {
      work(on: file, session) {
        let record = self.withSession(session, else: nil) { $0.files[file] }
        record?.handler()
      }
    }
    return !files.isEmpty
  }
}
