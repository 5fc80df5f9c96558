internal import Threading

/// What a watcher knows: guarded by its lock.
struct WatchState {
  var options: FileWatcher.Options
  /// Whether watching is turned on.
  var isOn = true
  /// `Fork.count` when something was last opened.
  var forks = Fork.count
  /// The watched files by their numbers.
  private(set) var files: [Int: WatchRecord] = [:]
  private var lastNumber = 0
  /// What the present thread has open; nil when there is none.
  private(set) var session: WatchSession?
  /// Those of all threads that have not ended yet.
  private var sessions: [WatchSession] = []
  private var folders = WatchTable()
  /// The files whose path may lead elsewhere than it did.
  private var turned: Set<Int> = []
  /// Those of them that were changing all the time when they were last looked at.
  private var restless: Set<Int> = []
  /// The files whose handler is to be called.
  var changed: Set<Int> = []
  /// The files whose handler is to be called at a later time.
  private var later: [Int: ContinuousClock.Instant] = [:]
  /// The files that are looked at from time to time.
  private(set) var polled: Set<Int> = []
  /// When they are next.
  var pollingTime = ContinuousClock.now

  init(options: FileWatcher.Options) {
    self.options = options
  }

  var statistics: FileWatcher.Statistics {
    FileWatcher.Statistics(
      fileCount: files.count, watchCount: folders.count, polledCount: polled.count,
      descriptorCount: sessions.reduce(0) { $0 + $1.descriptorCount },
      threadCount: sessions.count)
  }

  /// Whether there is something to do that does not wait for an event.
  var isBusy: Bool { !turned.isEmpty || !changed.isEmpty }

  /// How long the thread may sleep; nil for ever.
  var sleepLimit: Duration? {
    if isBusy { return .zero }
    let polling = polled.isEmpty ? nil : max(.zero, pollingTime - .now)
    let others: [Duration?] = [
      polling, restless.isEmpty ? nil : .milliseconds(10),
      later.values.min().map { max(.zero, $0 - .now) },
      session?.event == nil ? options.pollingInterval : nil,
    ]
    return others.compactMap(\.self).min()
  }

  // MARK: Files

  /// Adds a file, which is not watched yet.
  mutating func add(_ path: String, _ handler: @escaping @Sendable () -> Void) -> Int {
    lastNumber += 1
    files[lastNumber] = WatchRecord(path: PathBytes(path: path), handler: handler)
    return lastNumber
  }

  /// Removes a file.
  ///
  /// - Returns: The file, which must not be released while the lock is held: its handler may own what
  ///   cancels another one when it goes.
  mutating func remove(_ file: Int) -> WatchRecord? {
    guard let record = files.removeValue(forKey: file) else { return nil }
    polled.remove(file)
    turned.remove(file)
    restless.remove(file)
    changed.remove(file)
    later[file] = nil
    if files.isEmpty {
      endSession()
    } else {
      folders.replace(record.claims, with: [:], for: file)
      folders.settle()
    }
    return record
  }

  /// Has the handler of a file called at a time, or earlier if that was asked for before.
  mutating func scheduleCall(_ file: Int, at time: ContinuousClock.Instant) {
    guard session != nil, files[file] != nil else { return }
    later[file] = min(later[file] ?? time, time)
  }

  /// Finds out where the path of a file leads now, and watches all on the way.
  mutating func resolve(_ file: Int) {
    guard session != nil, var record = files[file] else { return }
    var walk = PathWalk(record.path, watching: &folders)
    var isStable = false
    for _ in 0..<10 where !isStable {
      let next = PathWalk(record.path, watching: &folders)
      isStable = !next.isInterrupted && next == walk
      walk = next
    }
    folders.replace(record.claims, with: walk.claims, for: file)
    folders.settle()
    record.claims = walk.claims
    record.lacksWatches = walk.lacksWatches
    if !isStable { restless.insert(file) }
    if walk.needsPolling {
      if polled.isEmpty { pollingTime = .now + options.pollingInterval }
      if polled.insert(file).inserted { record.look = WatchRecord.Look(at: record.path) }
    } else {
      polled.remove(file)
    }
    files[file] = record
  }

  /// Resolves one of the files that need it.
  ///
  /// - Returns: Whether there was one.
  mutating func resolveNext() -> Bool {
    guard let file = turned.popFirst() else { return false }
    resolve(file)
    return true
  }

  // MARK: Threads

  /// Begins to watch what there is to watch, for a thread that is to be started.
  ///
  /// - Parameter newFile: The file that nobody is to be told of, since it has just been added.
  /// - Returns: What the thread has open; nil when none is needed.
  mutating func beginSession(newFile: Int? = nil) -> WatchSession? {
    guard isOn, session == nil, !files.isEmpty else { return nil }
    let session = WatchSession()
    self.session = session
    sessions.append(session)
    openInotify()
    for file in files.keys { resolve(file) }
    changed = Set(files.keys)
    if let newFile { changed.remove(newFile) }
    return session
  }

  /// Opens an instance of inotify where there is none.
  mutating func openInotify() {
    folders.limit = options.watchLimit
    guard let session, session.inotify == nil, options.usesInotify else { return }
    session.inotify = Inotify()
    folders.inotify = session.inotify
  }

  /// Has the present thread end, and all watches.
  mutating func endSession() {
    session?.event?.signal()
    session = nil
    folders = WatchTable()
    for file in files.keys {
      files[file]?.claims = [:]
      files[file]?.look = nil
    }
    polled = []
    turned = []
    restless = []
    changed = []
    later = [:]
  }

  /// Closes what a thread had open that ends.
  mutating func close(_ session: WatchSession) {
    session.close()
    sessions.removeAll { $0 === session }
  }

  /// Closes what the threads of the parent have open, in a child that was forked.
  mutating func leaveParent() {
    guard forks != Fork.count else { return }
    forks = Fork.count
    folders.inotify = nil
    // The signal is the parent's as well.
    for session in sessions { session.close() }
    sessions = []
    endSession()
  }

  // MARK: Events

  /// Takes the events that there are, up to a bound.
  ///
  /// - Returns: Whether there were any.
  mutating func takeEvents(into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    session?.event?.clear()
    turned.formUnion(restless)
    changed.formUnion(restless)
    restless = []
    let now = ContinuousClock.now
    for (file, time) in later where time <= now {
      later[file] = nil
      changed.insert(file)
    }
    guard let inotify = session?.inotify else { return false }
    var count = 0
    while count < 32, inotify.read(into: buffer, { take($0) }) { count += 1 }
    return count > 0
  }

  private mutating func take(_ event: Inotify.Event) {
    if event.mask & WatchMask.overflow != 0 {
      turned.formUnion(files.keys)
      changed.formUnion(files.keys)
      return
    }
    guard let folder = folders[event.watch] else { return }
    let affected = folder.files(for: event)
    changed.formUnion(affected)
    if event.name.isEmpty || event.mask & WatchMask.turn != 0 { turned.formUnion(affected) }
    if event.mask & WatchMask.ended != 0 {
      for file in affected {
        let claims = files[file]?.claims ?? [:]
        files[file]?.claims = claims.filter { $0.key.watch != event.watch }
      }
      folders.forget(event.watch)
    }
  }

  // MARK: Polling

  /// The files that are to be looked at now.
  mutating func filesToPoll() -> [Int] {
    guard !polled.isEmpty, pollingTime <= .now else { return [] }
    openInotify()
    return Array(polled)
  }

  /// Prepares a look at a file by watching it after all, if that is possible.
  ///
  /// - Returns: The path to look at; nil when it is no longer to be polled.
  mutating func pathToPoll(_ file: Int) -> PathBytes? {
    guard let record = files[file], record.look != nil else { return nil }
    if record.lacksWatches { resolve(file) }
    return record.path
  }

  /// Takes note of a look at a file.
  mutating func take(_ look: WatchRecord.Look, at file: Int) {
    guard let last = files[file]?.look else { return }
    let isSame = look.identity == last.identity
    if !isSame { turned.insert(file) }
    if !isSame || last.isProvisional { changed.insert(file) }
    var look = look
    // One call more is enough, also where the file is dated by another machine's clock.
    if isSame { look.isProvisional = false }
    files[file]?.look = polled.contains(file) ? look : nil
  }
}
