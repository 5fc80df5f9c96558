internal import Threading

/// Work on single files, which is done without the watcher's lock because a file system may not
/// respond.
extension FileWatcher {
  /// How long the thread waits for work on one file before it leaves that to another thread and
  /// continues with other files.
  static let patience = Duration.milliseconds(250)

  /// Runs a closure on a thread other than the watcher's, or on this one if the watcher has no
  /// threads.
  ///
  /// - Returns: Whether the closure has ended; otherwise the file system does not respond, and the
  ///   closure is still running.
  @discardableResult
  func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    if let workers { return workers.run(waiting: Self.patience, body) }
    body()
    return true
  }

  /// Works on a file, on a thread other than the watcher's, unless a thread already does so.
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

  /// Resolves the path of a file, and watches everything on the path.
  func resolve(_ file: Int, _ session: WatchDescriptors) {
    guard let (path, start) = withSession(session, else: nil, { $0.beginWalk(of: file) })
    else { return }
    let additions = withSession(session, else: nil) { $0.watches.additions }
    var adder = WatchAdder(self, session)
    var walk = PathWalk(path, adding: &adder)
    // After two equal walks, all watches existed before the second one began, including other
    // files' watches in the same folder.
    var isStable =
      !walk.isInterrupted && withSession(session, else: nil) { $0.watches.additions } == additions
    for _ in 0..<10 where !isStable {
      let next = PathWalk(path, adding: &adder)
      isStable = !next.isInterrupted && next == walk
      walk = next
    }
    let identity = walk.needsPolling ? path.identity() : nil
    let polled = withSession(session, else: nil) { state in
      let polled = state.finishWalk(
        of: file, walk, isStable: isStable, adder.watches.keys, since: start, identity)
      // A program that has turned inotify off expects polling.
      return state.options.usesInotify ? polled : nil
    }
    polled?.pollingHandler(walk.lacksWatches)
  }

  /// Stops watching for events that no file needs any more.
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
