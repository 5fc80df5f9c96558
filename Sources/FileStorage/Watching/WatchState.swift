internal import Threading

/// The state of a watcher, guarded by its lock.
struct WatchState {
  var options: FileWatcher.Options
  private let clock: @Sendable () -> ContinuousClock.Instant
  /// How long the thread stays after the last file: the program may watch another file soon, and
  /// closing an inotify instance takes milliseconds.
  private let linger: Duration
  /// When the thread ends unless a file is added; nil while there are files.
  private var idleEnd: ContinuousClock.Instant?
  var isOn = true
  /// The time of the next attempt to start a thread, after the system had no more; nil before.
  var startingTime: ContinuousClock.Instant?
  /// The watched files by number.
  private(set) var files: [Int: WatchRecord] = [:]
  private var lastNumber = 0
  /// The descriptors of the current thread; nil if there is none.
  private(set) var session: WatchDescriptors?
  /// The sessions of all threads that have not ended yet.
  private var sessions: [WatchDescriptors] = []
  var watches = WatchTable()
  /// The files whose path must be resolved again.
  private(set) var unresolved: Set<Int> = []
  /// The files whose path kept changing while it was resolved.
  private var unstable: Set<Int> = []
  /// The files whose handler must be called.
  var changed: Set<Int> = []
  /// The files whose handler must be called at a later time.
  private var scheduledCalls: [Int: ContinuousClock.Instant] = [:]
  /// The files that are polled.
  private(set) var polled: Set<Int> = []
  /// The polled files whose watches could not be added, in the order of the next attempts. Some may
  /// have become watched since.
  private var lacking: [Int] = []
  /// The time of the next poll.
  var pollingTime: ContinuousClock.Instant
  /// The files that a thread is polling or handling. Work on them waits, since the file system may
  /// not respond.
  private var busy: Set<Int> = []
  /// The busy files that the watcher no longer waits for, with their folders. Other files in these
  /// folders also wait: each would take another thread.
  private var left: [Int: PathBytes] = [:]
  /// The number of walks that are in progress.
  private var walkCount = 0
  /// The events since the first of these walks began; only the last ones if there are many.
  private var walkEvents: [Inotify.Event] = []
  /// The number of events before these.
  private var earlierEventCount = 0

  init(
    options: FileWatcher.Options, linger: Duration,
    clock: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    (self.options, self.linger, self.clock) = (options, linger, clock)
    pollingTime = clock()
  }

  var now: ContinuousClock.Instant { clock() }

  var statistics: FileWatcher.Statistics {
    FileWatcher.Statistics(
      fileCount: files.count, watchCount: watches.count, polledCount: polled.count,
      descriptorCount: sessions.reduce(0) { $0 + $1.descriptorCount },
      threadCount: sessions.count)
  }

  /// Whether it is time to start a thread.
  var mayStart: Bool { startingTime.map { $0 <= now } ?? true }

  /// Whether there is work that does not wait for an event.
  var hasWork: Bool { !ready(unresolved).isEmpty || !ready(changed).isEmpty }

  /// How long the thread may sleep; nil for no limit.
  var sleepLimit: Duration? {
    if hasWork { return .zero }
    let limits: [Duration?] = [
      polled.isEmpty ? nil : max(.zero, pollingTime - now),
      unstable.isEmpty ? nil : .milliseconds(10),
      scheduledCalls.values.min().map { max(.zero, $0 - now) },
      session?.event == nil ? options.pollingInterval : nil,
      idleEnd.map { max(.zero, $0 - now) },
    ]
    return limits.compactMap(\.self).min()
  }

  // MARK: Files

  /// Adds a file, without watching it yet.
  mutating func add(
    _ path: String, _ handler: @escaping @Sendable () -> Void,
    _ polling: @escaping @Sendable (_ lacksWatches: Bool) -> Void
  ) -> Int {
    lastNumber += 1
    idleEnd = nil
    files[lastNumber] = WatchRecord(
      path: PathBytes(absolute: path), handler: handler, pollingHandler: polling)
    return lastNumber
  }

  /// Removes a file.
  ///
  /// - Returns: The file, which must not be released while the lock is held: its handler may own
  ///   another watched file, which cancels itself when released.
  mutating func remove(_ file: Int) -> WatchRecord? {
    guard let record = files.removeValue(forKey: file) else { return nil }
    polled.remove(file)
    unresolved.remove(file)
    unstable.remove(file)
    changed.remove(file)
    scheduledCalls[file] = nil
    watches.replace(record.interests, with: WatchInterests(), for: file)
    watches.removeUnneeded()
    if files.isEmpty {
      idleEnd = now + linger
      if linger == .zero { endSession() } else { session?.event?.signal() }
    }
    return record
  }

  /// Ends the session if there have been no files for a while.
  mutating func endIfIdle() {
    if let idleEnd, idleEnd <= now { endSession() }
  }

  /// Schedules a call of a file's handler, unless there is an earlier one.
  mutating func scheduleCall(_ file: Int, at time: ContinuousClock.Instant) {
    guard session != nil, files[file] != nil else { return }
    scheduledCalls[file] = min(scheduledCalls[file] ?? time, time)
  }

  // MARK: Work on files

  /// Returns the files that no work in progress delays.
  private func ready(_ candidates: Set<Int>) -> Set<Int> {
    if busy.isEmpty { return candidates }
    return candidates.filter { file in
      guard !busy.contains(file), let path = files[file]?.path else { return false }
      return !left.values.contains { path.starts(with: $0) }
    }
  }

  /// Removes and returns a file whose path must be resolved again.
  mutating func takeUnresolved() -> Int? {
    guard let file = busy.isEmpty ? unresolved.first : ready(unresolved).first else { return nil }
    unresolved.remove(file)
    return file
  }

  /// Removes and returns the files whose handler must be called.
  mutating func takeChanged() -> Set<Int> {
    let files = ready(changed)
    changed.subtract(files)
    return files
  }

  /// Records that a thread begins to work on a file; false if another thread is still working on
  /// it.
  mutating func beginWork(on file: Int) -> Bool { busy.insert(file).inserted }

  /// Records that the watcher no longer waits for the work on a file.
  mutating func leaveWork(on file: Int) {
    guard busy.contains(file), let path = files[file]?.path else { return }
    // With the slash at the end.
    left[file] = path.lastIndex(of: UInt8(ascii: "/")).map { PathBytes(path[...$0]) } ?? path
  }

  /// Records that a thread has ended its work on a file; returns whether there is more work.
  mutating func endWork(on file: Int) -> Bool {
    busy.remove(file)
    let wasLeft = left.removeValue(forKey: file) != nil
    return wasLeft ? hasWork : unresolved.contains(file) || changed.contains(file)
  }

  // MARK: Walks

  /// The longest list of events during walks.
  private static let walkEventLimit = 4096

  /// Begins to resolve the path of a file.
  ///
  /// - Returns: The path, and the arguments of ``finishWalk(of:_:isStable:_:since:_:)``; nil if
  ///   there is no such file.
  mutating func beginWalk(of file: Int) -> (path: PathBytes, start: Int)? {
    guard let record = files[file] else { return nil }
    walkCount += 1
    return (record.path, earlierEventCount + walkEvents.count)
  }

  /// Applies the result of resolving the path of a file, and the events since.
  ///
  /// - Parameters:
  ///   - isStable: Whether two walks found the same path.
  ///   - watches: The watches that were added.
  ///   - start: The second value that ``beginWalk(of:)`` returned.
  ///   - identity: The identity of the file, if it needs polling.
  /// - Returns: The file, if it begins to be polled.
  mutating func finishWalk(
    of file: Int, _ walk: PathWalk, isStable: Bool, _ added: some Sequence<Int32>,
    since start: Int, _ identity: FileIdentity?
  ) -> WatchRecord? {
    let isComplete = start >= earlierEventCount
    // If there were more, only the last ones are known.
    let events = walkEvents.dropFirst(max(0, start - earlierEventCount))
    endWalk()
    watches.unpin(added)
    defer { watches.removeUnneeded() }
    guard var record = files[file] else { return nil }
    var beginsPolling = false
    watches.replace(record.interests, with: walk.interests, for: file)
    record.interests = walk.interests
    record.lacksWatches = walk.lacksWatches
    if !isStable { unstable.insert(file) }
    if walk.needsPolling {
      if polled.isEmpty { pollingTime = now + options.pollingInterval }
      beginsPolling = polled.insert(file).inserted
      if beginsPolling { record.polls = Polls(identity, at: now) }
    } else {
      polled.remove(file)
    }
    files[file] = record
    let isWatched = walk.interests.allSatisfy { interest, mask in
      watches[interest.watch].map { $0.mask & mask == mask } ?? false
    }
    if !isComplete || !isWatched {
      unresolved.insert(file)
      changed.insert(file)
    }
    for event in events where walk.isConcerned(by: event) {
      changed.insert(file)
      if event.changesPaths { unresolved.insert(file) }
    }
    return beginsPolling ? record : nil
  }

  private mutating func endWalk() {
    walkCount -= 1
    guard walkCount == 0 else { return }
    earlierEventCount += walkEvents.count
    walkEvents = []
  }

  /// Keeps an event for the walks that are in progress.
  private mutating func keep(_ event: Inotify.Event) {
    guard walkCount > 0 else { return }
    if walkEvents.count >= Self.walkEventLimit {
      earlierEventCount += walkEvents.count
      walkEvents = []
    }
    walkEvents.append(event)
  }

  // MARK: Threads

  /// Opens a session for a thread that is about to start and will watch all files.
  ///
  /// - Parameter newFile: A file that has just been added, which the caller watches, and whose
  ///   handler need not be called.
  /// - Returns: Nil if no thread is needed.
  mutating func beginSession(newFile: Int? = nil) -> WatchDescriptors? {
    guard isOn, session == nil, !files.isEmpty else { return nil }
    let session = WatchDescriptors()
    self.session = session
    sessions.append(session)
    openInotifyIfNeeded()
    changed = Set(files.keys)
    if let newFile { changed.remove(newFile) }
    unresolved = changed
    return session
  }

  /// Opens an inotify instance if the session has none and the options allow it.
  private mutating func openInotifyIfNeeded() {
    watches.limit = options.watchLimit
    guard let session, session.inotify == nil, options.usesInotify else { return }
    session.inotify = Inotify()
    watches.inotify = session.inotify
  }

  /// Makes the current thread end, and drops all watches.
  mutating func endSession() {
    session?.event?.signal()
    session = nil
    idleEnd = nil
    watches = WatchTable()
    for file in files.keys {
      files[file]?.interests = WatchInterests()
      files[file]?.polls = nil
    }
    polled = []
    lacking = []
    unresolved = []
    unstable = []
    changed = []
    busy = []
    left = [:]
    scheduledCalls = [:]
    walkCount = 0
    walkEvents = []
    earlierEventCount = 0
  }

  /// Closes the descriptors of a thread that ends.
  mutating func close(_ session: WatchDescriptors) {
    session.close()
    sessions.removeAll { $0 === session }
  }

  /// Closes the descriptors of the parent's threads in a forked child.
  mutating func reset() {
    startingTime = nil
    watches.inotify = nil
    // Before the session ends, which would also signal the parent's thread.
    for session in sessions { session.close() }
    sessions = []
    endSession()
  }

  // MARK: Events

  /// Takes pending events, up to a limit; returns whether there were any.
  mutating func takeEvents(into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    session?.event?.reset()
    unresolved.formUnion(unstable)
    changed.formUnion(unstable)
    unstable = []
    let now = now
    for (file, time) in scheduledCalls where time <= now {
      scheduledCalls[file] = nil
      changed.insert(file)
    }
    guard let inotify = session?.inotify else { return false }
    var count = 0
    while count < 32, inotify.read(into: buffer, { take($0) }) { count += 1 }
    return count > 0
  }

  private mutating func take(_ event: Inotify.Event) {
    if event.isOverflow {
      unresolved.formUnion(files.keys)
      changed.formUnion(files.keys)
      return
    }
    keep(event)
    guard let folder = watches[event.watch] else { return }
    let affected = folder.files(for: event)
    changed.formUnion(affected)
    if event.changesPaths { unresolved.formUnion(affected) }
    if event.mask & WatchMask.removed != 0 {
      for file in affected { files[file]?.interests.remove(event.watch) }
      watches.forget(event.watch)
    }
  }

  // MARK: Polling

  /// Returns the files to poll, if it is time, and opens an inotify instance if that has become
  /// possible.
  mutating func startPolling() -> [Int] {
    guard !polled.isEmpty, pollingTime <= now else { return [] }
    pollingTime = now + options.pollingInterval
    openInotifyIfNeeded()
    return Array(ready(polled))
  }

  /// Returns the polled files without work in progress, with their paths, and records that a thread
  /// begins to poll them.
  mutating func beginPolling(of candidates: ArraySlice<Int>) -> [PollingSlice.File] {
    let ready = ready(polled.intersection(candidates))
    return candidates.compactMap { file in
      guard ready.contains(file), let path = files[file]?.path, beginWork(on: file) else {
        return nil
      }
      return (file, path)
    }
  }

  /// Returns a polled file that lacks watches; each gets its turn.
  mutating func nextLackingWatches() -> Int? {
    for isRefilled in [false, true] {
      if isRefilled { lacking = polled.filter { files[$0]?.lacksWatches == true } }
      while let file = lacking.popLast() {
        if polled.contains(file), files[file]?.lacksWatches == true, !busy.contains(file) {
          return file
        }
      }
    }
    return nil
  }

  /// Records that a watch's events were reduced.
  mutating func finishReduction(of watch: Int32, to mask: UInt32, found: Int32?) {
    let files = watches.finishReduction(of: watch, to: mask, found: found)
    unresolved.formUnion(files)
    changed.formUnion(files)
  }

  mutating func noteIdentity(_ identity: FileIdentity?, of file: Int) {
    let now = now
    files[file]?.polls?.note(identity, at: now)
  }

  /// Compares a poll of a file with the previous one.
  mutating func record(_ identity: FileIdentity?, of file: Int) {
    guard var polls = files[file]?.polls else { return }
    if identity != polls.identity { unresolved.insert(file) }
    if polls.record(identity, at: now) { changed.insert(file) }
    files[file]?.polls = polled.contains(file) ? polls : nil
  }
}

/// A watched file, as the watcher keeps it.
struct WatchRecord {
  let path: PathBytes
  let handler: @Sendable () -> Void
  /// Called when the file begins to be polled.
  let pollingHandler: @Sendable (_ lacksWatches: Bool) -> Void
  /// The events that the path needs.
  var interests = WatchInterests()
  /// Nil for a file that is not polled.
  var polls: Polls?
  /// Whether a watch that the path needs could not be added.
  var lacksWatches = false
}
