internal import Threading

/// Work on single files, which is done without the watcher's lock: a file system may not answer.
extension FileWatcher {
  /// How long the thread waits for work on one file before it leaves that to another thread and goes
  /// on with other files.
  static let patience = Duration.milliseconds(250)

  /// Runs a closure on a thread beside the watcher's, or here without threads.
  ///
  /// - Returns: Whether it has ended; otherwise the file system does not answer, and it goes on.
  @discardableResult
  func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    if let workers { return workers.run(waiting: Self.patience, body) }
    body()
    return true
  }

  /// Works on a file, on a thread beside the watcher's, unless another one does so.
  func work(on file: Int, _ session: WatchDescriptors, _ body: @escaping @Sendable () -> Void) {
    guard withSession(session, else: false, { $0.beginWork(on: file) }) else { return }
    let isDone = run { [self] in
      body()
      withSession(session, else: ()) { state in
        if state.endWork(on: file) { session.event?.signal() }
      }
    }
    if !isDone { withSession(session, else: ()) { $0.leaveWork(on: file) } }
  }

  /// Resolves the path of a file, and watches everything on the way.
  func resolve(_ file: Int, _ session: WatchDescriptors) {
    guard let (path, start) = withSession(session, else: nil, { $0.beginWalk(of: file) })
    else { return }
    let additions = withSession(session, else: nil) { $0.watches.additions }
    var adder = WatchAdder(self, session)
    var walk = PathWalk(path, adding: &adder)
    // As of the second of two equal walks, all watches existed before it began: those of another
    // file in the same folder.
    var isStable =
      !walk.isInterrupted && withSession(session, else: nil) { $0.watches.additions } == additions
    for _ in 0..<10 where !isStable {
      let next = PathWalk(path, adding: &adder)
      isStable = !next.isInterrupted && next == walk
      walk = next
    }
    let snapshot = walk.needsPolling ? WatchRecord.Snapshot(of: path) : nil
    let polled = withSession(session, else: nil) { state in
      state.finishWalk(
        of: file, walk, isStable: isStable, adder.watches.keys, since: start, snapshot)
    }
    polled?.pollingHandler(walk.lacksWatches ? .noWatch : .networkFileSystem)
  }

  /// Ends the reporting of events that no file needs any more.
  func reduceWatches(_ session: WatchDescriptors) {
    while let reduction = withSession(session, else: nil, { $0.watches.beginReduction() }) {
      run { [self] in
        let inotify = withSession(session, else: nil) { _ in session.inotify }
        let found = inotify?.set(reduction.mask, at: reduction.path)
        withSession(session, else: ()) { state in
          state.finishReduction(of: reduction.watch, to: reduction.mask, found: found)
        }
      }
    }
  }
}
